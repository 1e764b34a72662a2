// `npm run i18n:extract`: puts the texts of the sources into locale/. A text that the shell has is
// not repeated in the pages' catalogue, nor theirs in that of the admin area: they are loaded
// together, and one translation is enough.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatter } from '@lingui/format-po'
import { root, runQuietly } from './run.mjs'

const { lingui } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// Without line numbers: they would change, and conflict, with every line of code.
const po = formatter({ lineNumbers: false })

/**
 * Extracts into a folder that has, or gets, a folder for each language; throws with what the
 * extractor says.
 */
export async function extractTexts(folder) {
  mkdirSync(folder, { recursive: true })
  const place = mkdtempSync(join(tmpdir(), 'rupa-extract-'))
  const config = join(place, 'lingui.config.json')
  const catalogs = lingui.catalogs.map((catalog) => ({
    ...catalog,
    path: catalog.path.replace('<rootDir>/locale', folder),
  }))
  writeFileSync(config, JSON.stringify({ ...lingui, rootDir: root, catalogs }))
  const { code, output } = await runQuietly('lingui', ['extract', '--config', config, '--workers', '1'])
  rmSync(place, { recursive: true })
  if (code !== 0 || /error/i.test(output)) throw new Error(output)
  for (const locale of lingui.locales) await dropKnownTexts(folder, locale)
}

async function dropKnownTexts(folder, locale) {
  const read = async (name) => {
    const filename = join(folder, locale, `${name}.po`)
    const context = { locale, sourceLocale: lingui.sourceLocale, filename }
    const text = readFileSync(filename, 'utf8')
    return { filename, context, text, messages: await po.parse(text, context) }
  }
  const write = async ({ filename, context, text }, messages) =>
    writeFileSync(filename, await po.serialize(messages, { ...context, existing: text }))
  const before = []
  for (const name of ['app', 'pages', 'admin']) {
    const catalogue = await read(name)
    const known = (id) => before.some((messages) => messages[id] && !messages[id].obsolete)
    // What no source has any more would still be compiled, and travel to every phone.
    const isWanted = ([id, { obsolete }]) => !obsolete && !known(id)
    await write(catalogue, Object.fromEntries(Object.entries(catalogue.messages).filter(isWanted)))
    before.push(catalogue.messages)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await extractTexts(join(root, 'locale'))
}
