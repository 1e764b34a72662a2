import type { Picture, Plane } from '#engine/image/picture.ts'
import type { OnnxTensor } from './family.ts'

type OfColours = readonly [red: number, green: number, blue: number]

/** What a network subtracts from colours of 0 to 1, and what it divides the rest by. */
export interface Normalization {
  mean: OfColours
  deviation: OfColours
}

/** Of the pictures of ImageNet, on which most networks were trained first. */
export const imageNet: Normalization = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] }
/** Colours from 0 to 1, from −1 to 1, and from 0 to 255. */
export const unitRange: Normalization = { mean: [0, 0, 0], deviation: [1, 1, 1] }
export const signedRange: Normalization = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] }

/**
 * A picture as networks take it: [1, 3, height, width], red first, normalised; alpha is left away.
 * In a larger canvas it lies at the upper left, and zeros follow.
 */
export function colourTensor(
  { width, height, data }: Picture,
  { mean, deviation }: Normalization,
  canvas: { width: number; height: number } = { width, height },
): OnnxTensor {
  const values = new Float32Array(3 * canvas.width * canvas.height)
  for (let c = 0; c < 3; c++) {
    const scale = 1 / (255 * (deviation[c] as number))
    const offset = (mean[c] as number) / (deviation[c] as number)
    for (let y = 0, from = c; y < height; y++) {
      const row = (c * canvas.height + y) * canvas.width
      for (let x = 0; x < width; x++, from += 4) values[row + x] = (data[from] as number) * scale - offset
    }
  }
  return { type: 'float32', dims: [1, 3, canvas.height, canvas.width], data: values }
}

/** Channels that a network gave out, each row by row. */
export interface Channels {
  width: number
  height: number
  count: number
  data: Float32Array
}

/** The numbers of a tensor of any type. */
export const floatsOf = ({ data }: OnnxTensor): Float32Array =>
  data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number | bigint>, Number)

/**
 * The last two dimensions of an output are its height and width, the one before counts channels;
 * others have to be 1. Throws where the network gives something else.
 */
export function channelsOf(tensor: OnnxTensor | undefined, name = 'output'): Channels {
  const [width = 0, height = 0, count = 1, ...others] = tensor?.dims.toReversed() ?? []
  const data = tensor && floatsOf(tensor)
  if (data?.length !== width * height * count || others.some((size) => size !== 1)) {
    throw new Error(`The network gave no channels as ${name}: ${tensor?.type} ${JSON.stringify(tensor?.dims)}`)
  }
  return { width, height, count, data }
}

/** One channel as a plane, in the network's own values and memory. */
export function planeAt({ width, height, data }: Channels, channel: number): Plane {
  const size = width * height
  return { width, height, data: data.subarray(channel * size, (channel + 1) * size) }
}

/** Three channels as an opaque picture; `levelOf` turns the network's values into 0 to 255. */
export function pictureOf({ width, height, data }: Channels, levelOf: (value: number) => number): Picture {
  const size = width * height
  const pixels = new Uint8ClampedArray(4 * size).fill(255)
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < size; i++) pixels[4 * i + c] = levelOf(data[c * size + i] as number)
  }
  return { width, height, data: pixels }
}

/** Replaces values by 1 / (1 + e^−value), in place. */
export function applySigmoid(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = 1 / (1 + Math.exp(-(values[i] as number)))
}

/**
 * Stretches values so that the least becomes 0 and the greatest 1, in place; equal ones become 0.
 */
export function stretch(values: Float32Array): void {
  let [least, greatest] = [Infinity, -Infinity]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  const scale = greatest > least ? 1 / (greatest - least) : 0
  for (let i = 0; i < values.length; i++) values[i] = ((values[i] as number) - least) * scale
}

/** Limits values to 0 to 1, in place. */
export function limit(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i] = Math.min(1, Math.max(0, values[i] as number))
}
