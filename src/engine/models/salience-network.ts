import * as tf from '@tensorflow/tfjs-core'
import { imageNet, stretchToUnitRange } from '#engine/image/normalization.ts'
import type { Matte, Picture } from '#engine/image/picture.ts'
import { matteOf } from '#engine/image/pixels.ts'

/** Width and height of the network's input and output. */
const side = 320

const otherNetwork = 'the weights are of another network'

type Values = tf.Tensor4D

interface Convolution {
  filter: tf.Tensor4D
  bias: tf.Tensor1D
}

export interface SalienceModel {
  /** Salience of a square of 320 pixels, stretched to 0…255. */
  find(square: Picture): Promise<Matte>
}

/** Channels inside a block of the small network, and those that it returns. */
const [inner, outer] = [16, 64]

/**
 * The small U²-Net (Qin et al. 2020) on TensorFlow.js's current backend, with the weights of
 * `src/build/salience-weights.ts`. Throws when they have another size.
 */
export function openSalienceModel(weights: Uint8Array): SalienceModel {
  const readNext = weightReader(weights)
  const convolve = (inputs: number, outputs: number, dilation = 1) =>
    convolution(readNext, { inputs, outputs, dilation })
  // Same order as in the file.
  const encoders = [
    block(convolve, 3, 7),
    block(convolve, outer, 6),
    block(convolve, outer, 5),
    block(convolve, outer, 4),
  ]
  const bottom = [dilatedBlock(convolve, outer), dilatedBlock(convolve, outer)] as const
  const deepest = dilatedBlock(convolve, 2 * outer)
  const decoders = [4, 5, 6, 7].map((height) => block(convolve, 2 * outer, height))
  const sides = Array.from({ length: 6 }, () => sideOutput(readNext))
  const fuse = readNext(1, 6, 1)
  if (readNext.left() !== 0) throw new Error(otherNetwork)

  const network = (input: Values): Values => {
    const seen: Values[] = []
    let x = input
    for (const encode of encoders) {
      const found = encode(x)
      seen.push(found)
      x = halve(found)
    }
    const fifth = bottom[0](x)
    const sixth = bottom[1](halve(fifth))
    const levels = [sixth, deepest(tf.concat([enlarge(sixth, fifth), fifth], 3))]
    for (const decode of decoders) {
      const beside = seen.pop() as Values
      levels.push(decode(tf.concat([enlarge(levels.at(-1) as Values, beside), beside], 3)))
    }
    const maps = sides.map((read, i) => enlargeTo(read(levels[5 - i] as Values), side))
    return tf.sigmoid(tf.add(tf.conv2d(tf.concat(maps, 3), fuse.filter, 1, 'same'), fuse.bias))
  }

  return {
    async find(square) {
      const output = tf.tidy(() => network(tf.tensor4d(coloursOf(square), [1, side, side, 3])))
      const data = (await output.data()) as Float32Array
      output.dispose()
      stretchToUnitRange(data)
      return matteOf({ width: side, height: side, data })
    },
  }
}

function coloursOf({ data }: Picture): Float32Array {
  const { mean, deviation } = imageNet
  const values = new Float32Array((data.length / 4) * 3)
  for (let i = 0, at = 0; i < data.length; i += 4) {
    for (let c = 0; c < 3; c++) {
      values[at++] = ((data[i + c] as number) / 255 - (mean[c] as number)) / (deviation[c] as number)
    }
  }
  return values
}

interface WeightReader {
  (size: number, inputs: number, outputs: number): Convolution
  /** Bytes that have not been read. */
  left(): number
}

function weightReader(weights: Uint8Array): WeightReader {
  let at = 0
  /** A copy, because the bytes need not lie at multiples of four. */
  const take = (bytes: number) => {
    at += bytes
    if (at > weights.length) throw new Error(otherNetwork)
    return new Uint8Array(weights.subarray(at - bytes, at)).buffer
  }
  const read = (size: number, inputs: number, outputs: number): Convolution => {
    const bias = tf.tensor1d(new Float32Array(take(4 * outputs)))
    const factors = new Float32Array(take(4 * outputs))
    const filters = new Int16Array(take(2 * size * size * inputs * outputs))
    const values = Float32Array.from(filters, (value, i) => value * (factors[i % outputs] as number))
    return { filter: tf.tensor4d(values, [size, size, inputs, outputs]), bias }
  }
  return Object.assign(read, { left: () => weights.length - at })
}

type Layer = (x: Values) => Values
type Convolve = (inputs: number, outputs: number, dilation?: number) => Layer

function convolution(
  readNext: WeightReader,
  { inputs, outputs, dilation }: { inputs: number; outputs: number; dilation: number },
): Layer {
  const { filter, bias } = readNext(3, inputs, outputs)
  return (x) =>
    tf.fused.conv2d({ x, filter, bias, strides: 1, pad: 'same', dilations: dilation, activation: 'relu' }) as Values
}

function sideOutput(readNext: WeightReader): Layer {
  const { filter, bias } = readNext(3, outer, 1)
  return (x) => tf.fused.conv2d({ x, filter, bias, strides: 1, pad: 'same' }) as Values
}

const halve: Layer = (x) => tf.maxPool(x, 2, 2, 'valid')
const enlargeTo = (x: Values, size: number): Values =>
  x.shape[1] === size ? x : tf.image.resizeBilinear(x, [size, size], false, true)
const enlarge = (x: Values, like: Values) => enlargeTo(x, like.shape[1])

/** A small U-Net of `height` levels, whose input is added to its result. */
function block(convolve: Convolve, inputs: number, height: number): Layer {
  const first = convolve(inputs, outer)
  const down = Array.from({ length: height - 1 }, (_, i) => convolve(i === 0 ? outer : inner, inner))
  const deepest = convolve(inner, inner, 2)
  const up = Array.from({ length: height - 1 }, (_, i) => convolve(2 * inner, i === height - 2 ? outer : inner))
  // Frees a block's intermediate values, some of 26 MB, before the next.
  return (x) =>
    tf.tidy(() => {
      const start = first(x)
      const seen: Values[] = []
      for (const layer of down) {
        const above = seen.at(-1)
        seen.push(layer(above ? halve(above) : start))
      }
      let found = deepest(seen.at(-1) as Values)
      for (const layer of up) {
        const beside = seen.pop() as Values
        found = layer(tf.concat([enlarge(found, beside), beside], 3))
      }
      return tf.add(found, start)
    })
}

/** Like {@link block} with four levels, but widens the filters instead of reducing the picture. */
function dilatedBlock(convolve: Convolve, inputs: number): Layer {
  const first = convolve(inputs, outer)
  const down = [1, 2, 4].map((dilation, i) => convolve(i === 0 ? outer : inner, inner, dilation))
  const deepest = convolve(inner, inner, 8)
  const up = [4, 2, 1].map((dilation) => convolve(2 * inner, dilation === 1 ? outer : inner, dilation))
  return (x) =>
    tf.tidy(() => {
      const start = first(x)
      const seen: Values[] = []
      for (const layer of down) seen.push(layer(seen.at(-1) ?? start))
      let found = deepest(seen.at(-1) as Values)
      for (const layer of up) found = layer(tf.concat([found, seen.pop() as Values], 3))
      return tf.add(found, start)
    })
}
