import type { InferenceSession } from 'onnxruntime-node'
import type { OnnxSession, OnnxTensor } from './family.ts'

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
