import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import type { CameraSettings } from '#engine/image/exif.ts'
import type { DigitalSource, Picture, VideoFile } from '#engine/image/picture.ts'
import { fitWithin, flatten } from '#engine/image/pixels.ts'
import { decodeLayer, encodeLayer } from '#engine/node/codecs.ts'
import { encodeOutput, encodePrint, encodeThumbnail } from '#engine/node/encode-output.ts'
import { joinSources, withSourceLabel } from '#engine/node/source-label.ts'
import { encodeLocation } from '#engine/node/surroundings.ts'
import { decodeTask, encodeTask } from '#engine/node/task-files.ts'
import { withAiLabel } from '#engine/watermark/ai-label.ts'
import { imageFormatInfo, previewLongSide } from '#shared/media.ts'
import type { Json } from '#shared/schema.ts'
import type { Facts, WarningCode } from '#tools/contract/tool.ts'
import type { AnyEngine, EngineRegistry, Generated, Output, Rendering, ToolInput } from '#tools/engine/tool-engine.ts'
import { contentOf, decodeInputs, type Sources, shotOf, sizesOf, sourcesOf, videoOf } from './inputs.ts'
import { labelledRendering, labellingVideos, sampleOf, sourceOf, testRendering } from './marks.ts'
import type { EngineOutcome, EngineOutput, EngineResult, EngineTask, KeptFile, PreparedTask } from './task.ts'

const thumbnailSide = 320
const previewQuality = 80
const json = 'application/json'
const dataLabel = 'data'

interface KeptData {
  data: Json
  warnings: WarningCode[]
  facts: Facts
}

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

/** Labels of the files are index and part. */
async function readDone(files: readonly KeptFile[]): Promise<ToolInput<unknown>['done']> {
  const done: Record<string, unknown[]> = {}
  for (const [taskKey, its] of Map.groupBy(files, ({ label }) => label.slice(0, label.lastIndexOf('/')))) {
    const [name = '', index] = taskKey.split('/')
    const parts = its.map(async (file) => {
      return {
        contentType: file.contentType,
        label: file.label.slice(taskKey.length + 1),
        bytes: await contentOf(file),
      }
    })
    const read = await Promise.all(parts)
    const data = read.find(({ contentType }) => contentType === json)
    const pictures = read.filter(({ contentType }) => contentType !== json)
    done[name] ??= []
    done[name][Number(index)] = await decodeTask({
      files: pictures,
      data: data ? JSON.parse(new TextDecoder().decode(data.bytes)) : {},
    })
  }
  return done
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

async function readKept(files: KeptFile[]): Promise<Generated> {
  const layers: Generated['layers'] = {}
  const videos: Record<string, VideoFile> = {}
  let kept: KeptData = { data: null, warnings: [], facts: {} }
  for (const file of files) {
    const { label, contentType } = file
    if (contentType.startsWith('video/')) {
      videos[label] = videoOf(file)
      continue
    }
    const bytes = await contentOf(file)
    if (contentType === json) kept = JSON.parse(new TextDecoder().decode(bytes)) as KeptData
    else layers[label] = await decodeLayer(bytes)
  }
  return { layers, videos, ...kept }
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
