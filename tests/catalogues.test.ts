import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatter } from '@lingui/format-po'
import { beforeAll, describe, expect, it } from 'vitest'
import { extractTexts } from '../src/dev/extract-texts.mjs'

const po = formatter()

async function catalogue(language: string, name: string, folder = 'locale') {
  const filename = `${folder}/${language}/${name}.po`
  const context = { locale: language, sourceLocale: 'id', filename }
  const messages = await po.parse(readFileSync(filename, 'utf8'), context)
  return Object.fromEntries(Object.entries(messages).filter(([, message]) => !message.obsolete))
}

/**
 * Names of the placeholders and tags in a message, so that a translation cannot lose or invent one.
 */
const slots = (text: string) => [...new Set(text.match(/\{\w+(?=[,}])|<\/?\d+\/?>/g) ?? [])].sort()

describe.each(['app', 'pages', 'admin', 'server'])('the %s catalogue', (name) => {
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

it('has each text of the app in one catalogue only', async () => {
  const texts = await Promise.all(
    ['app', 'pages', 'admin'].map(async (name) => Object.keys(await catalogue('id', name))),
  )
  const all = texts.flat()
  expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([])
})

describe('what `npm run i18n:extract` finds in the sources', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-texts-'))
  beforeAll(() => extractTexts(folder))

  it.each(['app', 'pages', 'admin'])('is what the %s catalogue has', async (name) => {
    const [found, kept] = await Promise.all([catalogue('id', name, folder), catalogue('id', name)])
    expect(Object.keys(kept).sort()).toEqual(Object.keys(found).sort())
  })
})
