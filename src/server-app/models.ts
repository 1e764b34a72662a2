import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { addFiles, downloadObjection, fetchModel } from '#providers/onnx/fetch-model.ts'
import { type ModelEntry, manifest, sizeOf, trustsFirstDownload } from '#providers/onnx/manifest.ts'
import { entryOf, findDamage, findInstalled, listInstalled, removeModel, sha256Of } from '#providers/onnx/models-dir.ts'
import type { ModelObjection } from '#providers/provider.ts'
import { readConfig } from './config.ts'

const usage = `usage: npm run models -- list
       npm run models -- add NAME... | recommended [--accept-licence] [--accept-change]
       npm run models -- add FILE [--as NAME [--own]] [--part PART=FILE]...
       npm run models -- verify [NAME...]
       npm run models -- remove NAME...`

// The reader closed the pipe early.
process.stdout.on('error', () => process.exit())
const say = (line: string) => process.stdout.write(`${line}\n`)
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const commercialUse = { yes: 'commercial use allowed', asks: 'commercial use with conditions' } as const

const firstDownloadRule =
  'its digest is unknown, so the first download is trusted; its digest is recorded and checked at every load, and a different file is rejected'

const { modelsDir } = readConfig(process.env)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'accept-licence': { type: 'boolean', default: false },
    'accept-change': { type: 'boolean', default: false },
    as: { type: 'string' },
    own: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true, default: [] },
  },
})
const [command, ...names] = positionals

async function list(): Promise<void> {
  for (const entry of manifest) {
    const { name, title, task, licence, improves, quality, time, recommended } = entry
    const installed = await findInstalled(modelsDir, entry)
    const bytes = sizeOf(entry)
    const mark = installed ? (installed.own ? 'your own' : 'installed') : recommended ? 'recommended' : ''
    say(`${name.padEnd(22)} ${task.padEnd(14)} ${mark.padEnd(12)} ${bytes ? megabytes(bytes) : 'size unknown'}`)
    say(`  ${[title, improves, quality, time].filter(Boolean).join('; ')}`)
    say(`  ${licence.name}, ${commercialUse[licence.commercial]}${licence.remark ? `: ${licence.remark}` : ''}`)
    if (trustsFirstDownload(entry)) say(`  not pinned: ${firstDownloadRule}`)
  }
}

function progressBar(name: string): (bytes: number, of: number) => void {
  let shown = -1
  return (bytes, of) => {
    if (!process.stderr.isTTY) return
    const share = of ? Math.floor((100 * bytes) / of) : 0
    if (share === shown) return
    shown = share
    const bar = '#'.repeat(Math.floor(share / 4)).padEnd(25, '.')
    process.stderr.write(`\r${name} ${bar} ${of ? `${share} %` : ''} ${megabytes(bytes)}${share === 100 ? '\n' : ''}`)
  }
}

const objections: Record<ModelObjection, (entry: ModelEntry) => string> = {
  licence: ({ name, licence }) =>
    `${name} is under ${licence.name}. ${licence.remark ?? ''} Add --accept-licence if you accept that.`,
  checksum: ({ name }) => `${name} is not pinned: ${firstDownloadRule}. Add --accept-licence if you accept that.`,
  source: ({ name }) => `${name} has no download: npm run models -- add FILE --as ${name} adds your own file`,
}

function objectionsTo(entry: ModelEntry): string[] {
  const objection = downloadObjection(entry, values['accept-licence'])
  return objection ? [objections[objection](entry)] : []
}

async function fetchOne(entry: ModelEntry): Promise<void> {
  const [objection] = objectionsTo(entry)
  if (objection) throw new Error(objection)
  const { 'accept-change': acceptChange } = values
  const { files } = await fetchModel(modelsDir, entry, { onProgress: progressBar(entry.name), acceptChange })
  for (const [part, { size, sha256 }] of Object.entries(files))
    say(`${entry.name} ${part}: ${megabytes(size)}, sha256 ${sha256}`)
  say(positionMessage(entry))
}

const positionMessage = ({ name, better }: ModelEntry) =>
  better
    ? `${name} is installed and used before the built-in engine.`
    : `${name} is installed and used after the built-in engine; admins can change the order.`

/** Only pinned models are recommended, so that none comes whose bytes are unknown. */
async function addRecommended(): Promise<void> {
  const wanted = manifest.filter(({ recommended }) => recommended)
  for (const entry of wanted) say(`${entry.name.padEnd(22)} ${megabytes(sizeOf(entry)).padStart(9)}  ${entry.improves}`)
  say(`${wanted.length} models, ${megabytes(wanted.reduce((sum, entry) => sum + sizeOf(entry), 0))} in all`)
  const found = wanted.flatMap(objectionsTo)
  if (found.length > 0) throw new Error(found.join('\n'))
  const failures: string[] = []
  for (const entry of wanted) {
    // A model that cannot be fetched does not stop the others.
    await fetchOne(entry).catch((error: unknown) => failures.push(error instanceof Error ? error.message : `${error}`))
  }
  if (failures.length > 0) throw new Error(failures.join('\n'))
}

/** By name, or by checksum. */
async function entryOfFile(path: string): Promise<{ entry: ModelEntry; part: string }> {
  if (values.as) {
    const entry = entryOf(values.as)
    return { entry, part: Object.keys(entry.files)[0] as string }
  }
  const sha256 = await sha256Of(path)
  for (const entry of manifest) {
    const part = Object.keys(entry.files).find((name) => entry.files[name]?.sha256 === sha256)
    if (part) return { entry, part }
  }
  throw new Error(`${path} is not a known model file (sha256 ${sha256}); name the model with --as NAME`)
}

async function addFile(path: string): Promise<void> {
  const { entry, part } = await entryOfFile(path)
  const { own } = values
  if (entry.licence.copyleft && !own && !values['accept-licence']) throw new Error(objections.licence(entry))
  const others = values.part.map((given) => given.split('=') as [string, string])
  try {
    await addFiles(modelsDir, entry, { [part]: path, ...Object.fromEntries(others) }, { own })
  } catch (error) {
    const known = own || !Object.values(entry.files).some(({ sha256 }) => sha256)
    throw known ? error : new Error(`${(error as Error).message}; --own adds it anyway as your own file`)
  }
  say(positionMessage(entry))
}

async function add(): Promise<void> {
  if (names.length === 0) throw new Error(usage)
  for (const name of names) {
    if (name === 'recommended') await addRecommended()
    else if (await stat(name).catch(() => undefined)) await addFile(name)
    else await fetchOne(entryOf(name))
  }
}

async function verify(): Promise<void> {
  const wanted = (await listInstalled(modelsDir)).filter(
    ({ entry }) => names.length === 0 || names.includes(entry.name),
  )
  if (wanted.length === 0) say('no models are installed')
  for (const model of wanted) {
    const damage = await findDamage(model)
    const sound =
      trustsFirstDownload(model.entry) && !model.own
        ? 'unchanged since its first download'
        : 'unchanged since it was added'
    say(`${model.entry.name}: ${damage ?? sound}`)
    if (damage) process.exitCode = 1
  }
}

async function removeAll(): Promise<void> {
  for (const name of names) say((await removeModel(modelsDir, name)) ? `${name} removed` : `${name} was not installed`)
}

const commands: Record<string, () => Promise<void>> = { list, add, verify, remove: removeAll }

try {
  const run = commands[command ?? '']
  if (!run) throw new Error(usage)
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}
