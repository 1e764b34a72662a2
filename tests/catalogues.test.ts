import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { beforeAll, describe, expect, it } from 'vitest'
import config from '../locale/lingui.config.ts'
import { root, runQuietly } from '../src/scripts/run.mjs'

const po = formatter()
const extracted = ['app', 'tools', 'pages', 'admin']

async function catalogue(language: string, name: string, folder = 'locale') {
  const filename = `${folder}/${language}/${name}.po`
  const context = { locale: language, sourceLocale: 'id', filename }
  const messages = await po.parse(readFileSync(filename, 'utf8'), context)
  return Object.fromEntries(Object.entries(messages).filter(([, message]) => !message.obsolete))
}

/** A translation must not lose or invent placeholders and tags. */
const slots = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])|<\/?\d+\/?>/g) ?? [])].sort()

describe.each([...extracted, 'server'])('the %s catalogue', (name) => {
  it('has every message in English, with the same placeholders', async () => {
    const [source, english] = await Promise.all([catalogue('id', name), catalogue('en', name)])
    const live = Object.entries(source)
    expect(live.length).toBeGreaterThan(0)
    const missing = live.filter(([id]) => !english[id]?.translation).map(([id]) => id)
    expect(missing).toEqual([])
    const changed = live.filter(
      ([id, message]) =>
        String(slots(message.translation || message.message || id)) !== String(slots(english[id]?.translation ?? '')),
    )
    expect(changed.map(([id]) => id)).toEqual([])
  })
})

it('translates a text alike in all catalogues that have it, because they are loaded together', async () => {
  const found = new Map<string, string | undefined>()
  for (const name of extracted) {
    for (const [id, { message, translation }] of Object.entries(await catalogue('en', name))) {
      expect(translation, message).toBe(found.get(id) ?? translation)
      found.set(id, translation)
    }
  }
})

describe('messages that `npm run i18n:extract` finds in the sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-texts-'))
  beforeAll(async () => {
    const file = join(folder, 'lingui.config.json')
    const catalogs = config.catalogs?.map(({ path, ...rest }) => ({
      ...rest,
      path: path.replace('<rootDir>/locale', folder),
    }))
    writeFileSync(file, JSON.stringify({ ...config, rootDir: root, catalogs, format: undefined }))
    const { code, output } = await runQuietly('lingui', ['extract', '--config', file, '--workers', '1'])
    rmSync(file)
    expect(code, output).toBe(0)
  })

  it.each(extracted)('equal the %s catalogue', async (name) => {
    const [found, kept] = await Promise.all([catalogue('id', name, folder), catalogue('id', name)])
    expect(Object.keys(kept).sort()).toEqual(Object.keys(found).sort())
  })
})
