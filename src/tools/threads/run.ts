import { randomBytes } from 'node:crypto'
import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import type { CameraSettings } from '#engine/image/exif.ts'
import { composeSimilarities, translationBy } from '#engine/image/geometry.ts'
import { type DigitalSource, isPicture, type Picture } from '#engine/image/picture.ts'
import { fitWithin, flatten } from '#engine/image/pixels.ts'
import { encodeLayer } from '#engine/node/codecs.ts'
import { encodeOutput, encodePrint, encodeThumbnail } from '#engine/node/encode-output.ts'
import { encodeLocation } from '#engine/node/location-file.ts'
import { joinSources, withSourceLabel } from '#engine/node/source-label.ts'
import { encodeTask } from '#engine/node/task-files.ts'
import { keyedRandomness } from '#engine/node/watermark-randomness.ts'
import { withAiLabel } from '#engine/watermark/ai-label.ts'
import { workArea } from '#engine/watermark/colour-shift.ts'
import { writeLetters } from '#engine/watermark/watermark-letters.ts'
import { makeSample } from '#engine/watermark/watermark-sample.ts'
import { testResultMaxPixels } from '#shared/api-key.ts'
import { imageFormatInfo, previewLongSide } from '#shared/media.ts'
import type { Facts, WarningCode } from '#tools/contract/tool.ts'
import type { AnyEngine, EngineRegistry, Generated, Output, Rendering, ToolInput } from '#tools/engine/tool-engine.ts'
import {
  decodeInputs,
  json,
  type KeptData,
  readDone,
  readKept,
  type Sources,
  shotOf,
  sizesOf,
  sourcesOf,
} from './inputs.ts'
import type { EngineOutcome, EngineOutput, EngineResult, EngineTask, PreparedTask } from './task.ts'

const thumbnailSide = 320
const previewQuality = 80
const dataLabel = 'data'

/** Runs inside an engine thread. */
export async function runTask(task: EngineTask, engines: EngineRegistry, host: EngineHost): Promise<EngineResult> {
  if (task.step === 'location') return readLocation(task, host)
  const engine = Object.hasOwn(engines, task.tool) ? engines[task.tool] : undefined
  if (!engine) throw new EngineError('tool.unknown')
  const [inputs, done] = [await decodeInputs(task.inputs), await readDone(task.done ?? [])]
  const input: ToolInput<unknown> = { params: task.params, inputs, done }
  if (task.step === 'check') {
    if (!engine.check) throw new EngineError('tool.unknown')
    return engine.check(input, host)
  }
  if (task.step === 'prepare') return prepareTask(engine, input, host)
  const own = task.labelled ? labellingVideos(host) : host
  return task.step === 'preview' ? previewTask(task, engine, input, own) : renderTask(task, engine, input, own)
}

/** `outputs` are the file to keep and a sample. */
async function readLocation({ locations: [file] = [] }: EngineTask, host: EngineHost): Promise<EngineOutcome> {
  if (!file) throw new EngineError('engine.failed', { cause: 'there is no location to read' })
  const outputs = await encodeLocation(file.id, await host.surroundings(file.id))
  return { outputs, kept: [], warnings: [], facts: {}, inputSizes: {} }
}

/** Sequential: each holds whole pictures. */
async function prepareTask(engine: AnyEngine, input: ToolInput<unknown>, host: EngineHost): Promise<PreparedTask[]> {
  const prepared: PreparedTask[] = []
  for (const [name, works] of Object.entries((await engine.prepare?.(input, host)) ?? {})) {
    for (const [index, work] of works.entries())
      prepared.push({ taskKey: `${name}/${index}`, ...(await encodeTask(work)) })
  }
  return prepared
}

async function renderTask(
  task: EngineTask,
  engine: AnyEngine,
  input: ToolInput<unknown>,
  host: EngineHost,
): Promise<EngineOutcome> {
  const generated = await generatedFor(task, engine, input, host)
  const [kept, rendered] = await Promise.all([
    generated && task.step === 'generate' ? keep(generated) : [],
    engine.render(input, generated, host),
  ])
  const reduced = task.test ? await testRendering(task, rendered, input, host) : rendered
  const rendering = task.labelled || rendered.labelled ? labelledRendering(reduced) : reduced
  const [first] = rendering.outputs
  if (!first) throw new EngineError('engine.failed', { cause: 'nothing was rendered' })
  const poster = posterOf(first)
  const sources = await sourcesOf(task)
  const shot = rendering.outputs.some(takesShot) ? await shotOf(task) : undefined
  const [outputs, thumbnail] = await Promise.all([
    Promise.all(rendering.outputs.map((output) => finish(output, sources, shot))),
    poster && encodeThumbnail(poster, thumbnailSide),
  ])
  return {
    outputs,
    ...(thumbnail && { thumbnail: { label: '', contentType: 'image/webp', extension: 'webp', ...thumbnail } }),
    kept: task.step === 'generate' && rendering.keep ? await keep(rendering.keep) : kept,
    warnings: warningsOf(generated, rendering),
    facts: { ...generated?.facts, ...rendering.facts, ...placementsOf(rendering.outputs) },
    rejected: [...(generated?.rejected ?? []), ...(rendering.rejected ?? [])],
    inputSizes: sizesOf(input.inputs),
  }
}

/** Null where an output does not show the photograph. */
function placementsOf(outputs: readonly Output[]): Facts {
  const placements = outputs.map((output) => ('picture' in output && output.placement ? { ...output.placement } : null))
  return placements.some((placement) => placement !== null) ? { places: placements } : {}
}

/** Makes watermarked samples; documents and videos are no part of them. */
async function previewTask(
  task: EngineTask,
  engine: AnyEngine,
  input: ToolInput<unknown>,
  host: EngineHost,
): Promise<EngineOutcome> {
  const generated = await engine.generate?.(input, host)
  const rendering = await engine.render(input, generated, host)
  const shown = rendering.outputs.filter((output) => 'picture' in output)
  if (shown.length === 0) throw new EngineError('engine.failed', { cause: 'no picture was rendered' })
  const source = sourceOf(input)
  const before = source && (await small(source, host))
  const { usual, inputs } = await sourcesOf(task)
  const outputs = shown.map(async ({ label = '', picture, encoding }) => {
    const reduced = await small(picture, host)
    // A JPEG would have no transparency either.
    const result = encoding.format === 'jpeg' ? flatten(reduced, 255, 255, 255) : reduced
    const sample = sampleOf(task, result, before)
    const shown = task.labelled || rendering.labelled ? withAiLabel(sample) : sample
    return encodePreview(label, shown, joinSources(encoding.metadata?.source ?? usual, inputs))
  })
  return {
    outputs: await Promise.all(outputs),
    kept: [],
    warnings: warningsOf(generated, rendering),
    facts: {},
    inputSizes: sizesOf(input.inputs),
  }
}

function small(picture: Picture, host: EngineHost): Promise<Picture> {
  const { width, height } = fitWithin(picture, previewLongSide)
  return host.resize(picture, width, height)
}

async function encodePreview(label: string, sample: Picture, source: DigitalSource): Promise<EngineOutput> {
  const bytes = await encodeOutput(sample, { format: 'webp', quality: previewQuality, metadata: { source } })
  const { width, height } = sample
  const { contentType, extension } = imageFormatInfo.webp
  return { label, contentType, extension, bytes, width, height }
}

async function generatedFor(
  { step, kept = [] }: EngineTask,
  engine: AnyEngine,
  input: ToolInput<unknown>,
  host: EngineHost,
): Promise<Generated | undefined> {
  if (step === 'generate') return engine.generate?.(input, host)
  if (kept.length > 0) return readKept(kept)
  if (engine.generate) throw new EngineError('generation.not_renderable')
  return undefined
}

function warningsOf(generated: Generated | undefined, rendering: Rendering): WarningCode[] {
  return [...new Set([...(generated?.warnings ?? []), ...(rendering.warnings ?? [])])]
}

function posterOf(output: Output): Picture | undefined {
  if ('file' in output) return output.poster
  return 'pages' in output ? output.pages[0]?.picture : output.picture
}

const takesShot = (output: Output) => 'encoding' in output && output.encoding.metadata?.shot === true

async function finish(
  output: Output,
  { usual, inputs }: Sources,
  shot: CameraSettings | undefined,
): Promise<EngineOutput> {
  const label = output.label ?? ''
  const own = 'encoding' in output ? output.encoding.metadata?.source : undefined
  const declared = joinSources(own ?? usual, inputs)
  if ('file' in output)
    return {
      ...fileOf(label, { ...output, file: withSourceLabel(output.file, output.contentType, declared) }),
      source: declared,
    }
  if ('pages' in output) {
    const bytes = await encodePrint(output.pages, declared)
    return { label, contentType: 'application/pdf', extension: 'pdf', bytes, width: 0, height: 0 }
  }
  const { picture } = output
  const encoding = { ...output.encoding, metadata: { ...output.encoding.metadata, source: declared } }
  const source = encoding.maxBytes === undefined ? declared : undefined
  return {
    label,
    contentType: imageFormatInfo[encoding.format].contentType,
    extension: imageFormatInfo[encoding.format].extension,
    bytes: await encodeOutput(picture, encoding, shot),
    width: picture.width,
    height: picture.height,
    ...(source && { source }),
  }
}

function fileOf(label: string, made: Omit<Extract<Output, { file: Uint8Array }>, 'poster'>): EngineOutput {
  const { file, contentType, extension, width, height, seconds } = made
  return { label, contentType, extension, bytes: file, width, height, ...(seconds !== undefined && { seconds }) }
}

async function keep({ layers, videos = {}, data, warnings, facts = {} }: Generated): Promise<EngineOutput[]> {
  const kept: KeptData = { data, warnings: [...warnings], facts }
  const files = await Promise.all(
    Object.entries(layers).map(async ([label, layer]) => ({
      label,
      contentType: 'image/png',
      extension: 'png',
      bytes: await encodeLayer(layer),
      width: layer.width,
      height: layer.height,
    })),
  )
  const bytes = new TextEncoder().encode(JSON.stringify(kept))
  const made = Object.entries(videos).flatMap(([label, video]) => ('file' in video ? [fileOf(label, video)] : []))
  return [...files, ...made, { label: dataLabel, contentType: json, extension: 'json', bytes, width: 0, height: 0 }]
}

/** Frames are labelled while they are encoded. */
const labellingVideos = (host: EngineHost): EngineHost => ({
  ...host,
  convertVideo: (video, conversion) => host.convertVideo(video, { ...conversion, labelled: true }),
})

/** Labels copies: engines may keep the pictures that they return. */
function labelledRendering(rendering: Rendering): Rendering {
  const outputs = rendering.outputs.map((output): Output => {
    if ('picture' in output) return { ...output, picture: withAiLabel(output.picture) }
    if (!('pages' in output)) return output
    return { ...output, pages: output.pages.map((page) => ({ ...page, picture: withAiLabel(page.picture) })) }
  })
  return { ...rendering, outputs }
}

/** Marks every picture of the result, also those on pages, and reduces it. */
async function testRendering(
  task: EngineTask,
  rendering: Rendering,
  input: ToolInput<unknown>,
  host: EngineHost,
): Promise<Rendering> {
  const source = sourceOf(input)
  const mark = async (picture: Picture) => {
    const scale = Math.min(1, Math.sqrt(testResultMaxPixels / (picture.width * picture.height)))
    const side = (length: number) => Math.max(1, Math.floor(scale * length))
    const reduced = (one: Picture) => (scale < 1 ? host.resize(one, side(one.width), side(one.height)) : one)
    const isSameSize = source?.width === picture.width && source.height === picture.height
    return sampleOf(task, await reduced(picture), isSameSize ? await reduced(source) : undefined)
  }
  const outputs = rendering.outputs.map(async (output): Promise<Output> => {
    if ('picture' in output) {
      const { placement, ...unmarked } = output
      const picture = await mark(unmarked.picture)
      const scale = picture.width / unmarked.picture.width
      const reduced = placement && {
        ...placement,
        ...composeSimilarities(placement, { ...translationBy(0, 0), scale }),
      }
      return { ...unmarked, picture, ...(reduced && { placement: reduced }) }
    }
    if (!('pages' in output)) throw new EngineError('api_key.test_impossible')
    const pages = output.pages.map(async (page) => ({ ...page, picture: await mark(page.picture) }))
    return { ...output, pages: await Promise.all(pages) }
  })
  return { ...rendering, outputs: await Promise.all(outputs) }
}

/** The first picture: its difference from the result is the work that the watermark covers. */
function sourceOf({ inputs }: ToolInput<unknown>): Picture | undefined {
  const [source] = Object.values(inputs).flat()
  return source && 'data' in source && isPicture(source) ? source : undefined
}

/** Without a key of the server's, a random watermark that not even this server can repeat. */
function sampleOf({ watermark }: EngineTask, result: Picture, before: Picture | undefined): Picture {
  const draws = keyedRandomness(watermark?.key ?? randomBytes(32), result.data)
  if (watermark?.lettersOnly) return writeLetters({ ...result, data: result.data.slice() }, draws)
  return makeSample(result, draws, workArea(result, before))
}
