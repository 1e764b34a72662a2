// `npm run sheets` makes all contact sheets from the test photographs in `sheets/`, `npm run sheets
// -- holes headshots` only these; a folder argument supplies other photographs.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { decodePicture } from '../engine/node/codecs.ts'
import { createNodeHost } from '../engine/node/host.ts'
import { toolContracts } from '../tools/contracts.ts'
import { toolEngines } from '../tools/engines.ts'
import { pictureSheets } from './picture-sheets.mjs'
import { portraitSheets } from './portrait-sheets.mjs'
import { root } from './run.mjs'
import { imageOf as image, writeSheet } from './write-sheet.mjs'

const sheets = { ...pictureSheets, ...portraitSheets }
const words = process.argv.slice(2)
const folder = words.find((word) => existsSync(word)) ?? join(root, 'tests', 'fixtures', 'photos')
const wanted = words.filter((word) => !existsSync(word))
const unknown = wanted.filter((word) => !Object.hasOwn(sheets, word))
if (unknown.length > 0) {
  console.error(`There is no sheet called ${unknown.join(' or ')}; there are ${Object.keys(sheets).join(', ')}.`)
  process.exit(1)
}

const names = readdirSync(folder).filter((name) => /(?<!alpha)\.(jpe?g|png|webp)$/.test(name))
const file = (name) => sharp(join(folder, name)).autoOrient()
const load = async (name, side) =>
  decodePicture(await file(name).resize(side, side, { fit: 'inside' }).png().toBuffer())
const host = createNodeHost(new AbortController().signal, () => {})

/**
 * Runs a tool as the server does: the photo check, the generation, a rendering for each variant.
 */
async function run(id, inputs, variants = [{}]) {
  const engine = toolEngines[id]
  const inputOf = (given) => ({ params: toolContracts[id].parseParams(given).params, inputs: all, done: {} })
  const all = Object.fromEntries(Object.keys(toolContracts[id].inputs).map((name) => [name, inputs[name] ?? []]))
  const checked = (await engine.check?.(inputOf(variants[0]), host)) ?? { problems: [], warnings: [] }
  if (checked.problems.length > 0) return { text: checked.problems.map(({ code }) => code).join(' '), pictures: [] }
  try {
    const generated = await engine.generate?.(inputOf(variants[0]), host)
    const pictures = []
    let likeness = generated?.facts?.likeness
    for (const params of variants) {
      const { outputs, facts } = await engine.render(inputOf(params), generated, host)
      likeness ??= facts?.likeness
      pictures.push(...outputs.flatMap(({ picture }) => picture ?? []))
    }
    const alike = likeness === undefined ? '' : ` likeness ${likeness.toFixed(2)}`
    return { text: [...new Set([...checked.warnings, ...(generated?.warnings ?? [])])].join(' ') + alike, pictures }
  } catch (error) {
    return { text: `refused by the run: ${error.code ?? error}`, pictures: [] }
  }
}

for (const [name, make] of Object.entries(sheets)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await writeSheet(name, await make({ names, folder, file, load, image, run }))
}
process.exit()
