/** Tensors are given by number. */
export interface Operator {
  name: OperatorName
  inputs: readonly number[]
  outputs: readonly number[]
  /** Integer option by its index in the schema; 0 if absent. */
  option(field: number, size: 'byte' | 'int'): number
}

interface Constant {
  shape: readonly number[]
  values: Float32Array
}

/** Operators are in the order of execution. */
export interface Graph {
  input: { tensor: number; shape: readonly number[] }
  output: { tensor: number; shape: readonly number[] }
  operators: readonly Operator[]
  shapeOf(tensor: number): readonly number[]
  /** Undefined for a tensor that is computed. */
  constant(tensor: number): Constant | undefined
}

/** Supported operators by number in the format (`BuiltinOperator`), or by name if custom. */
const operatorNames = {
  0: 'add',
  1: 'averagePool',
  3: 'conv',
  4: 'depthwiseConv',
  6: 'dequantize',
  14: 'logistic',
  18: 'multiply',
  19: 'relu',
  23: 'resizeBilinear',
  40: 'mean',
  117: 'hardSwish',
  Convolution2DTransposeBias: 'transposeConvBias',
} as const
type OperatorName = (typeof operatorNames)[keyof typeof operatorNames]

const float32 = 0
const float16 = 1

/** FlatBuffer, schema version 3. 16-bit weights become floats. Throws for unsupported operators. */
export function readTflite(file: Uint8Array): Graph {
  const at = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.byteLength < 8 || at.getUint32(4, true) !== 0x334c4654)
    throw new Error('not a TensorFlow Lite model of version 3')
  const follow = (place: number) => place + at.getUint32(place, true)
  /** Undefined when the file does not contain the field. */
  const field = (table: number, index: number): number | undefined => {
    const layout = table - at.getInt32(table, true)
    const entry = 4 + 2 * index
    const offset = entry < at.getUint16(layout, true) ? at.getUint16(layout + entry, true) : 0
    return offset === 0 ? undefined : table + offset
  }
  const int = (table: number, index: number): number => {
    const place = field(table, index)
    return place === undefined ? 0 : at.getInt32(place, true)
  }
  const byte = (table: number, index: number): number => {
    const place = field(table, index)
    return place === undefined ? 0 : at.getUint8(place)
  }
  const vector = (table: number, index: number): { start: number; length: number } => {
    const place = field(table, index)
    if (place === undefined) return { start: 0, length: 0 }
    const start = follow(place)
    return { start: start + 4, length: at.getUint32(start, true) }
  }
  const ints = (table: number, index: number): number[] => {
    const { start, length } = vector(table, index)
    return Array.from({ length }, (_, i) => at.getInt32(start + 4 * i, true))
  }
  const tables = (table: number, index: number): number[] => {
    const { start, length } = vector(table, index)
    return Array.from({ length }, (_, i) => follow(start + 4 * i))
  }
  const bytes = (table: number, index: number): Uint8Array => {
    const { start, length } = vector(table, index)
    return file.subarray(start, start + length)
  }

  const model = follow(0)
  const names = tables(model, 1).map((code): OperatorName => {
    const custom = new TextDecoder().decode(bytes(code, 1))
    const key = custom || Math.max(byte(code, 0), int(code, 3))
    const name = operatorNames[key as keyof typeof operatorNames]
    if (!name) throw new Error(`unsupported operator ${key}`)
    return name
  })
  const [subgraph] = tables(model, 2)
  if (subgraph === undefined) throw new Error('the model has no graph')
  const buffers = tables(model, 4)
  const tensors = tables(subgraph, 0)
  const tensor = (index: number): number => {
    const table = tensors[index]
    if (table === undefined) throw new Error(`there is no tensor ${index}`)
    return table
  }
  const shapeOf = (index: number) => ints(tensor(index), 0)
  const ends = (index: number) => {
    const [first = -1] = ints(subgraph, index)
    return { tensor: first, shape: shapeOf(first) }
  }
  return {
    input: ends(1),
    output: ends(2),
    shapeOf,
    operators: tables(subgraph, 3).map((operator) => {
      const place = field(operator, 4)
      const options = place === undefined ? undefined : follow(place)
      return {
        name: names[int(operator, 0)] as OperatorName,
        inputs: ints(operator, 1),
        outputs: ints(operator, 2),
        option: (index, size) =>
          options === undefined ? 0 : size === 'byte' ? byte(options, index) : int(options, index),
      }
    }),
    constant(index) {
      const table = tensor(index)
      const stored = bytes(buffers[int(table, 2)] as number, 0)
      if (stored.length === 0) return undefined
      const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
      const type = byte(table, 1)
      const width = type === float16 ? 2 : 4
      const values = Float32Array.from({ length: stored.length / width }, (_, i) =>
        type === float16
          ? halfToSingle(view.getUint16(2 * i, true))
          : type === float32
            ? view.getFloat32(4 * i, true)
            : view.getInt32(4 * i, true),
      )
      return { shape: shapeOf(index), values }
    },
  }
}

/** Converts the bits of a 16-bit float (IEEE 754). */
function halfToSingle(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
