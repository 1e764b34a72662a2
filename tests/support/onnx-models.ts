import * as runtime from 'onnxruntime-node'
import type { OnnxSession } from '#providers/onnx/family.ts'
import { asSession } from '#providers/onnx/model-worker.ts'

type Field = [number: number, value: number | Uint8Array | string]

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return [...bytes, Number(rest)]
}

function message(fields: Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [Buffer.from([...varint(number << 3), ...varint(value)])]
      const bytes = Buffer.from(value as Uint8Array)
      return [Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]
    }),
  )
}

/** ONNX numbers of element types. */
const elements = { float32: 1, uint8: 2, int32: 6, int64: 7, float16: 10 } as const

interface Value {
  name: string
  type?: keyof typeof elements
  shape: readonly (number | string)[]
}

interface Constant {
  dims: readonly number[]
  data: readonly number[]
  type?: 'float32' | 'int64' | 'uint8'
}

/** `out = op(ins)`; numeric attributes are integers. */
interface Operation {
  op: string
  ins: readonly string[]
  outs: readonly string[]
  attributes?: Record<string, number | string | readonly number[] | { float: number }>
}

export interface TinyModel {
  inputs: readonly Value[]
  outputs: readonly Value[]
  operations: readonly Operation[]
  constants?: Record<string, Constant>
}

/** onnx.proto, ir_version 8, opset 17. */
export function writeModel({ inputs, outputs, operations, constants = {} }: TinyModel): Buffer {
  const infoOf = ({ name, type = 'float32', shape }: Value) => {
    const sizes = shape.map((size): Field => [1, message([typeof size === 'number' ? [1, size] : [2, size]])])
    const tensor = message([
      [1, elements[type]],
      [2, message(sizes)],
    ])
    return message([
      [1, name],
      [2, message([[1, tensor]])],
    ])
  }
  const attribute = ([name, value]: [string, NonNullable<Operation['attributes']>[string]]): Field => {
    const of = (kind: number, ...fields: Field[]): Field => [5, message([[1, name], ...fields, [20, kind]])]
    if (typeof value === 'number') return of(2, [3, value])
    if (typeof value === 'string') return of(3, [4, value])
    if ('float' in value) {
      // A 32-bit field has no length before it.
      const bits = Buffer.alloc(5)
      bits[0] = (2 << 3) | 5
      bits.writeFloatLE(value.float, 1)
      return [5, Buffer.concat([message([[1, name]]), bits, message([[20, 1]])])]
    }
    return of(7, ...value.map((item): Field => [8, item]))
  }
  const graph = message([
    ...operations.map(
      ({ op, ins, outs, attributes = {} }): Field => [
        1,
        message([
          ...ins.map((name): Field => [1, name]),
          ...outs.map((name): Field => [2, name]),
          [4, op],
          ...Object.entries(attributes).map(attribute),
        ]),
      ],
    ),
    [2, 'tiny'],
    ...Object.entries(constants).map(([name, { dims, data, type = 'float32' }]): Field => {
      const raw =
        type === 'int64'
          ? BigInt64Array.from(data, BigInt)
          : type === 'uint8'
            ? Uint8Array.from(data)
            : Float32Array.from(data)
      return [
        5,
        message([
          ...dims.map((size): Field => [1, size]),
          [2, elements[type]],
          [8, name],
          [9, new Uint8Array(raw.buffer)],
        ]),
      ]
    }),
    ...inputs.map((value): Field => [11, infoOf(value)]),
    ...outputs.map((value): Field => [12, infoOf(value)]),
  ])
  return message([
    [1, 8],
    [7, graph],
    [8, message([[2, 17]])],
  ])
}

/** Colours last, and other names. */
export function withColoursLast({ inputs, outputs, operations, ...rest }: TinyModel): TinyModel {
  const last = ({ name, shape: [count = 1, channels = 1, ...sizes], ...value }: Value) => {
    return { ...value, name: `${name}_nhwc`, shape: [count, ...sizes, channels] }
  }
  const turn = (from: string, to: string, perm: number[]) => {
    return { op: 'Transpose', ins: [from], outs: [to], attributes: { perm } }
  }
  return {
    ...rest,
    inputs: inputs.map(last),
    outputs: outputs.map(last),
    operations: [
      ...inputs.map(({ name }) => turn(`${name}_nhwc`, name, [0, 3, 1, 2])),
      ...operations,
      ...outputs.map(({ name }) => turn(name, `${name}_nhwc`, [0, 2, 3, 1])),
    ],
  }
}

export async function openModel(model: TinyModel): Promise<OnnxSession> {
  const session = await runtime.InferenceSession.create(writeModel(model), {
    intraOpNumThreads: 1,
    logSeverityLevel: 3,
  })
  return asSession(runtime, session)
}
