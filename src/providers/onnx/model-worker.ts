import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { InferenceSession } from 'onnxruntime-node'
import type { Picture } from '#engine/image/picture.ts'
import { openSession } from '#engine/node/networks/open-session.ts'
import { serveNetworks } from '#engine/node/networks/serve-networks.ts'
import { decodeTask, type EncodedTask, encodeTask } from '#engine/node/task-files.ts'
import { matteVideo } from '#engine/node/video/mask-source.ts'
import { families } from './families/registry.ts'
import type { OnnxSession, OnnxSessions, OnnxTensor } from './family.ts'

type Runtime = typeof import('onnxruntime-node')

/** 16-bit numbers, which newer versions of Node and the runtime support natively. */
type HalfArray = ArrayLike<number> & { buffer: ArrayBuffer }
const Half = (globalThis as { Float16Array?: new (values: object) => HalfArray }).Float16Array

/** Channels-last pictures, as in TensorFlow's exports. */
const isColoursLast = ({ length, 1: second, 3: last }: readonly (number | string)[]) =>
  length === 4 && (last === 3 || last === 1) && second !== 3 && second !== 1

function transposeChannels(tensor: OnnxTensor, from: 'colours first' | 'colours last'): OnnxTensor {
  const [count = 1, ...sizes] = tensor.dims
  const [channels = 1, height = 1, width = 1] = from === 'colours first' ? sizes : [sizes[2], sizes[0], sizes[1]]
  const [pixels, size] = [height * width, channels * height * width]
  const data = tensor.data.slice()
  for (let start = 0; start < count * size; start += size) {
    for (let c = 0; c < channels; c++) {
      for (let i = 0; i < pixels; i++) {
        const [first, last] = [start + c * pixels + i, start + i * channels + c]
        if (from === 'colours first') data[last] = tensor.data[first] as never
        else data[first] = tensor.data[last] as never
      }
    }
  }
  const dims = from === 'colours first' ? [count, height, width, channels] : [count, channels, height, width]
  return { ...tensor, dims, data } as OnnxTensor
}

/** Adapts 16-bit and channels-last files for families, which use 32 bits and channels first. */
export function asSession(runtime: Runtime, session: InferenceSession, onRun: () => void = () => {}): OnnxSession {
  const inputs = session.inputMetadata.map((input) => {
    if (!input.isTensor) throw new Error(`${input.name} is not a tensor`)
    const { name, type, shape } = input
    const last = isColoursLast(shape)
    return { name, type, last, shape: last ? [shape[0], shape[3], shape[1], shape[2]].map((size) => size ?? 1) : shape }
  })
  const coloursLast = inputs.some(({ last }) => last)
  const given = (name: string, tensor: OnnxTensor) => {
    const input = inputs.find((known) => known.name === name)
    const { type, data, dims } = input?.last ? transposeChannels(tensor, 'colours first') : tensor
    const half = type === 'float32' && input?.type === 'float16'
    if (!half) return new runtime.Tensor(type as 'float32', data as Float32Array, [...dims])
    if (!Half) throw new Error(`${name} needs 16-bit floats, which this version of Node does not support`)
    const values = new Half(data)
    const sent = new runtime.Tensor('float16', values as never, [...dims])
    // The runtime's native part (1.30) accepts only the bits, its JavaScript only the numbers.
    return Object.assign(sent, { cpuData: new Uint16Array(values.buffer) })
  }
  return {
    inputs,
    outputs: session.outputNames,
    async run(feeds, wanted) {
      const tensors = Object.entries(feeds).map(([name, tensor]) => [name, given(name, tensor)] as const)
      const results = await session.run(Object.fromEntries(tensors), wanted ? [...wanted] : session.outputNames)
      onRun()
      const outputs = Object.entries(results).map(([name, { type, data, dims }]) => {
        const tensor = (
          type === 'float16' && Half && data instanceof Half
            ? { type: 'float32', data: Float32Array.from(data as HalfArray), dims }
            : { type, data, dims }
        ) as OnnxTensor
        return [name, coloursLast && dims.length === 4 ? transposeChannels(tensor, 'colours last') : tensor] as const
      })
      return Object.fromEntries(outputs)
    },
  }
}

export interface ModelJob {
  family: string
  /** By the part names of the family. */
  files: Readonly<Record<string, { path: string; sha256: string }>>
  work: EncodedTask
  /** Of one network. */
  threads: number
}

/** Each session has the memory of its network. */
const maxSessions = 3
const sessions = new Map<string, InferenceSession>()

async function keepSession({ path, sha256 }: ModelJob['files'][string], threads: number): Promise<InferenceSession> {
  const known = sessions.get(sha256)
  if (known) {
    sessions.delete(sha256)
    sessions.set(sha256, known)
    return known
  }
  // Hash the loaded bytes, so that nothing can be exchanged in between.
  const content = await readFile(path)
  const found = createHash('sha256').update(content).digest('hex')
  if (found !== sha256) {
    const advice = 'npm run models -- remove and add the model again'
    throw new Error(`${path} has changed since it was added: SHA-256 ${found} instead of ${sha256}; ${advice}`)
  }
  const session = await openSession(content, threads)
  sessions.set(sha256, session)
  const [[oldest, first] = []] = sessions
  if (sessions.size > maxSessions && oldest && first) {
    sessions.delete(oldest)
    await first.release()
  }
  return session
}

async function perform(
  { family: id, files, work, threads }: ModelJob,
  onProgress: (share?: number) => void,
): Promise<EncodedTask> {
  const family = families.find((known) => known.id === id)
  if (!family) throw new Error(`there is no family ${id}`)
  const runtime = await import('onnxruntime-node')
  const open: OnnxSessions = {}
  for (const [part, file] of Object.entries(files)) {
    open[part] = asSession(runtime, await keepSession(file, threads), onProgress)
  }
  const { signal } = new AbortController()
  if ('perform' in family) return encodeTask(await family.perform(await decodeTask(work), open, signal, onProgress))
  const find = (frames: AsyncIterable<Picture>) => family.findMattes(frames, open)
  return encodeTask({ masks: await matteVideo(await decodeTask(work), find, { signal, onProgress }) })
}

await serveNetworks(perform)
