import type { ToolId } from '#tools/contracts.ts'
import { toolEngines } from '#tools/engines.ts'
import type { Intermediate, ToolEngine, ToolInput } from '#tools/tool.ts'
import { EngineError } from '../error.ts'
import type { EngineHost } from '../host.ts'
import type { Picture } from '../picture.ts'
import { contentTypeOf, decodeLayer, decodePicture, encodeLayer, encodePicture, encodeThumbnail } from './codecs.ts'
import type { EngineFile, EngineOutcome, EngineOutput, EngineTask } from './task.ts'

const thumbnailSide = 320

/** Decodes a task's files, generates (or takes what was kept), renders and encodes. Runs inside an engine thread. */
export async function runTask(task: EngineTask, host: EngineHost): Promise<EngineOutcome> {
  if (!Object.hasOwn(toolEngines, task.tool)) throw new EngineError('tool.unknown')
  const engine: ToolEngine<unknown> = toolEngines[task.tool as ToolId]
  const input = await decodeInput(task)
  const intermediate = task.kept ? await readKept(task.kept) : await engine.generate(input, host)
  const [kept, rendered] = await Promise.all([
    task.kept ? [] : keep(intermediate),
    engine.render(input, intermediate, host),
  ])
  const [first] = rendered
  if (!first) throw new EngineError('engine.failed')
  const [outputs, thumbnail] = await Promise.all([
    Promise.all(
      rendered.map(async ({ picture, format }) =>
        output('', contentTypeOf(format), picture, await encodePicture(picture, format)),
      ),
    ),
    encodeThumbnail(first.picture, thumbnailSide),
  ])
  return {
    outputs,
    thumbnail: { label: '', contentType: 'image/webp', ...thumbnail },
    kept,
    warnings: intermediate.warnings,
    sourceSizes: input.sources.map(({ width, height }) => ({ width, height })),
  }
}

function output(
  label: string,
  contentType: string,
  size: { width: number; height: number },
  bytes: Uint8Array,
): EngineOutput {
  return { label, contentType, bytes, width: size.width, height: size.height }
}

async function decodeInput(task: EngineTask): Promise<ToolInput<unknown>> {
  const sources: Picture[] = []
  for (const file of task.sources) sources.push(await decodePicture(file.bytes))
  const extras: Record<string, Picture> = {}
  for (const file of task.extras) extras[file.label] = await decodePicture(file.bytes)
  return { sources, extras, params: task.params }
}

async function readKept(files: EngineFile[]): Promise<Intermediate> {
  const layers: Intermediate['layers'] = {}
  for (const file of files) layers[file.label] = await decodeLayer(file.bytes)
  return { layers, warnings: [] }
}

async function keep({ layers }: Intermediate): Promise<EngineOutput[]> {
  return Promise.all(
    Object.entries(layers).map(async ([label, layer]) => output(label, 'image/png', layer, await encodeLayer(layer))),
  )
}
