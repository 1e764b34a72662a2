import type { InferenceSession } from 'onnxruntime-node'
import type { OnnxSession, OnnxTensor } from './family.ts'

type Runtime = typeof import('onnxruntime-node')

/** Numbers of 16 bits, which newer versions of Node and the runtime pass on as such. */
type HalfArray = ArrayLike<number> & { buffer: ArrayBuffer }
const Half = (globalThis as { Float16Array?: new (values: object) => HalfArray }).Float16Array

/**
 * A session as families know it. Families count in 32 bits; where a file takes or gives 16, values
 * are converted on the way.
 */
export function asSession(runtime: Runtime, session: InferenceSession, onRun: () => void = () => {}): OnnxSession {
  const inputs = session.inputMetadata.map((input) => {
    if (!input.isTensor) throw new Error(`${input.name} is no tensor`)
    return { name: input.name, type: input.type, shape: input.shape }
  })
  const given = (name: string, { type, data, dims }: OnnxTensor) => {
    const half = type === 'float32' && inputs.find((input) => input.name === name)?.type === 'float16'
    if (!half) return new runtime.Tensor(type as 'float32', data as Float32Array, [...dims])
    if (!Half) throw new Error(`${name} takes numbers of 16 bits, for which this Node is too old`)
    const values = new Half(data)
    const tensor = new runtime.Tensor('float16', values as never, [...dims])
    // The runtime's native part (1.30) knows only the bits, its JavaScript only the numbers.
    return Object.assign(tensor, { cpuData: new Uint16Array(values.buffer) })
  }
  return {
    inputs,
    outputs: session.outputNames,
    async run(feeds, wanted) {
      const tensors = Object.entries(feeds).map(([name, tensor]) => [name, given(name, tensor)] as const)
      const results = await session.run(Object.fromEntries(tensors), wanted ? [...wanted] : session.outputNames)
      onRun()
      const outputs = Object.entries(results).map(([name, { type, data, dims }]) => {
        const tensor =
          type === 'float16' && Half && data instanceof Half
            ? { type: 'float32', data: Float32Array.from(data as HalfArray), dims }
            : { type, data, dims }
        return [name, tensor as OnnxTensor] as const
      })
      return Object.fromEntries(outputs)
    },
  }
}
