import { createBrowserHost, loadSalience } from '#engine/browser/host.ts'
import { decodePicture, encodePicture } from '#engine/browser/pixels.ts'
import { drawFigure, warmUpHost } from '#engine/browser/single-figure.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { writeDeviceLetters } from '#engine/watermark/watermark-letters.ts'
import { inTurn } from '#shared/in-turn.ts'
import type { AnyEngine, EngineRegistry, Generated, ToolInput } from '#tools/engine/tool-engine.ts'
import type { DevicePicture, PreviewTask, WorkerRequest, WorkerResponse } from './worker-lane.ts'

/** Layers of the last task; only one, to bound the memory. */
interface Kept {
  key: string
  generated: Generated
}

export function serveEngineWorker(engines: EngineRegistry): void {
  let kept: Kept | undefined
  let decoded = new Map<string, Picture>()
  const runInTurn = inTurn()
  const rehearsals = new AbortController()

  /** Pictures of the last task stay decoded. */
  async function decodeInputs({ inputs, names, side }: PreviewTask): Promise<Record<string, Picture[]>> {
    const found = new Map<string, Picture>()
    const decode = async (file: Blob | ImageBitmap, name: string | undefined) => {
      const key = `${name} ${side}`
      const picture = (name !== undefined && decoded.get(key)) || (await decodePicture(file, side))
      if (file instanceof ImageBitmap) file.close()
      if (name !== undefined) found.set(key, picture)
      return picture
    }
    const pictures: Record<string, Picture[]> = {}
    for (const [input, files] of Object.entries(inputs)) {
      const own: Picture[] = []
      for (const [index, file] of files.entries()) own.push(await decode(file, names[input]?.[index]))
      pictures[input] = own
    }
    decoded = found
    return pictures
  }

  async function run(task: PreviewTask, mayLoad: boolean): Promise<DevicePicture> {
    const { tool, params, side, key } = task
    const engine = engines[tool]
    if (!engine) throw new Error(`no engine for ${tool} on the device`)
    const host = createBrowserHost(new AbortController().signal, mayLoad)
    const input: ToolInput<unknown> = { params, inputs: await decodeInputs(task), done: {} }
    if (kept?.key !== key) kept = undefined
    const generated = kept?.generated ?? (await engine.generate?.(input, host))
    if (generated) kept = { key, generated }
    return await rendered(engine, input, generated, { host, side })
  }

  async function rehearse({ tool, params, inputs, side }: PreviewTask, mayLoad: boolean): Promise<undefined> {
    const engine = engines[tool]
    const host = warmUpHost(createBrowserHost(rehearsals.signal, mayLoad))
    const figures = Object.entries(inputs).map(
      ([name, files]) => [name, files.map(() => drawFigure(Math.round(0.75 * side), side))] as const,
    )
    const input: ToolInput<unknown> = { params, inputs: Object.fromEntries(figures), done: {} }
    if (engine) await rendered(engine, input, await engine.generate?.(input, host), { host, side })
    // A picture that arrives now does not wait for it.
    void loadSalience(mayLoad).catch(() => {})
  }

  self.addEventListener('message', ({ data: { id, task, rehearsal, mayLoad } }: MessageEvent<WorkerRequest>) => {
    if (!rehearsal) rehearsals.abort()
    const respond = (response: WorkerResponse) => self.postMessage(response)
    runInTurn(() => (rehearsal ? rehearse(task, mayLoad) : run(task, mayLoad))).then(
      (picture) => respond(picture ? { id, picture } : { id }),
      (error: unknown) => respond({ id, reason: error instanceof Error ? error.message : String(error) }),
    )
  })
}

async function rendered(
  engine: AnyEngine,
  input: ToolInput<unknown>,
  generated: Generated | undefined,
  { host, side }: { host: EngineHost; side: number },
): Promise<DevicePicture> {
  const [output] = (await engine.render(input, generated, host)).outputs
  if (!output || !('picture' in output)) throw new Error('no picture was rendered')
  // A platform's frame has its own size, whatever the input's.
  const { width, height } = fitWithin(output.picture, side)
  const { data } = await host.resize(output.picture, width, height)
  // Copies the layers, which are used again.
  const sample = writeDeviceLetters({ width, height, data: data.slice() })
  return { blob: await encodePicture(sample), width, height }
}
