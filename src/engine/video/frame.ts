import { wholeOf } from '#engine/image/geometry.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import type { Box } from '#shared/media.ts'

/** YUV matrix: ITU-R BT.601 for small videos, BT.709 for large ones. */
export type ColourMatrix = 'bt601' | 'bt709'

/**
 * YUV 4:2:0, upright, 8 bits, limited range (black 16, white 235). Width and height are even; `y`
 * has width · height values, `u` and `v` a quarter. `alpha` is 255 opaque and as large as `y`.
 */
export interface Frame extends Size {
  y: Uint8Array
  u: Uint8Array
  v: Uint8Array
  alpha?: Uint8Array
  matrix: ColourMatrix
}

export function frameBytes(width: number, height: number): number {
  return width * height * 2.5
}

/**
 * Content is undefined, without alpha; in a new buffer or that of another frame of the same size.
 */
export function createFrame(
  width: number,
  height: number,
  matrix: ColourMatrix,
  memory: ArrayBuffer = new ArrayBuffer(frameBytes(width, height)),
): Frame {
  const area = width * height
  return {
    width,
    height,
    matrix,
    y: new Uint8Array(memory, 0, area),
    u: new Uint8Array(memory, area, area / 4),
    v: new Uint8Array(memory, area * 1.25, area / 4),
  }
}

/** Memory for the alpha of a frame from `createFrame`; content may be undefined. */
export function alphaOf({ y, width, height }: Frame): Uint8Array {
  return new Uint8Array(y.buffer, width * height * 1.5, width * height)
}

/** The codecs' layout: Y, U, V and, if present, alpha. Needs a frame from `createFrame`. */
export function packedFrame({ y, width, height, alpha }: Frame): Uint8Array {
  return new Uint8Array(y.buffer, 0, width * height * (alpha ? 2.5 : 1.5))
}

/** Red and blue weights of the luma; green has the rest. */
const lumaWeights = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722] } as const

/** Factors from centred U and V and scaled luma to red, green and blue of 0 to 255. */
function rgbFactors(matrix: ColourMatrix) {
  const [kr, kb] = lumaWeights[matrix]
  const kg = 1 - kr - kb
  const chroma = 255 / 112
  return {
    luma: 255 / 219,
    redV: chroma * (1 - kr),
    greenU: (-chroma * (1 - kb) * kb) / kg,
    greenV: (-chroma * (1 - kr) * kr) / kg,
    blueU: chroma * (1 - kb),
  }
}

/** Each channel from 0 to 255. */
export function toYuv(red: number, green: number, blue: number, matrix: ColourMatrix): [number, number, number] {
  const [kr, kb] = lumaWeights[matrix]
  const luma = kr * red + (1 - kr - kb) * green + kb * blue
  const chroma = 112 / 255
  return [16 + (luma * 219) / 255, 128 + (chroma * (blue - luma)) / (1 - kb), 128 + (chroma * (red - luma)) / (1 - kr)]
}

/** A reduced picture with the channels Y, U and V, for guided filters and motion search. */
export function reducedYuv(frame: Frame, width: number, height: number): Picture {
  return sampleFrame(frame, wholeOf(frame), width, height)
}

/** A whole-pixel part inside the frame as an sRGB picture of width × height. */
export function framePart(frame: Frame, box: Box, width: number, height: number): Picture {
  const picture = sampleFrame(frame, box, width, height)
  const { luma: scale, redV, greenU, greenV, blueU } = rgbFactors(frame.matrix)
  const { data } = picture
  for (let i = 0; i < data.length; i += 4) {
    const light = scale * ((data[i] as number) - 16)
    const u = (data[i + 1] as number) - 128
    const v = (data[i + 2] as number) - 128
    data[i] = light + redV * v
    data[i + 1] = light + greenU * u + greenV * v
    data[i + 2] = light + blueU * u
  }
  return picture
}

/** Channels Y, U and V: brightness is the mean of at most 2 × 2 values, colour the middle value. */
function sampleFrame(frame: Frame, box: Box, width: number, height: number): Picture {
  const { width: stride, y: luma, u: us, v: vs } = frame
  const { columns, rows, taps } = tapsFor(frame, box, width, height)
  const data = new Uint8ClampedArray(4 * width * height)
  const last = taps - 1
  for (let y = 0, i = 0; y < height; y++) {
    const upper = (rows[y * taps] as number) * stride
    const lower = (rows[y * taps + last] as number) * stride
    const chromaRow = ((rows[y * taps + last] as number) >> 1) * (stride / 2)
    for (let x = 0; x < width; x++, i += 4) {
      const left = columns[x * taps] as number
      const right = columns[x * taps + last] as number
      const at = chromaRow + (right >> 1)
      data[i] = (luma[upper + left]! + luma[upper + right]! + luma[lower + left]! + luma[lower + right]!) / 4
      data[i + 1] = us[at] as number
      data[i + 2] = vs[at] as number
      data[i + 3] = 255
    }
  }
  return { width, height, data }
}

/** sRGB with the frame's alpha, at most `side` pixels on the longer side. */
export function frameToPicture(frame: Frame, side: number): Picture {
  const { width, height } = fitWithin(frame, side)
  const picture = framePart(frame, wholeOf(frame), width, height)
  const { alpha } = frame
  if (!alpha) return picture
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * frame.height) / height) * frame.width
    for (let x = 0; x < width; x++) {
      const level = alpha[row + Math.floor(((x + 0.5) * frame.width) / width)] as number
      picture.data[4 * (y * width + x) + 3] = level
    }
  }
  return picture
}

/** The picture must be opaque and of even size. */
export function pictureToFrame({ width, height, data }: Picture, matrix: ColourMatrix): Frame {
  const frame = createFrame(width, height, matrix)
  const [kr, kb] = lumaWeights[matrix]
  const [u, v] = [112 / 255 / (1 - kb), 112 / 255 / (1 - kr)]
  for (let y = 0, i = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++, at += 4) {
      const red = data[at] as number
      const blue = data[at + 2] as number
      const luma = kr * red + (1 - kr - kb) * (data[at + 1] as number) + kb * blue
      frame.y[i] = 16.5 + (luma * 219) / 255
      if (((x | y) & 1) === 0) {
        const chroma = (y >> 1) * (width >> 1) + (x >> 1)
        frame.u[chroma] = 128.5 + u * (blue - luma)
        frame.v[chroma] = 128.5 + v * (red - luma)
      }
    }
  }
  return frame
}

/** Source columns and rows of each target pixel, at most two of each. */
function tapsFor(frame: Frame, box: Box, width: number, height: number) {
  const [stepX, stepY] = [box.width / width, box.height / height]
  const taps = Math.min(2, Math.max(1, Math.floor(Math.min(stepX, stepY))))
  const columns = new Int32Array(width * taps)
  const rows = new Int32Array(height * taps)
  const [right, bottom] = [frame.width - 1, frame.height - 1]
  for (let i = 0; i < columns.length; i++) columns[i] = Math.min(right, box.x + ((i + 0.5) * stepX) / taps)
  for (let i = 0; i < rows.length; i++) rows[i] = Math.min(bottom, box.y + ((i + 0.5) * stepY) / taps)
  return { columns, rows, taps }
}

/** Subject at a reduced size, 0 to 255 (certain). Width and height are even. */
export interface Mask extends Size {
  data: Uint8Array
}

export type VideoSubject = 'person' | 'object'

const maskPixels = 80_000
/** Largest change by a codec at both ends of the range. */
const codecNoise = 6

export function maskSize(frame: Size): Size {
  const scale = Math.min(1, Math.sqrt(maskPixels / (frame.width * frame.height)))
  const even = (value: number) => Math.max(2, 2 * Math.round((value * scale) / 2))
  return { width: even(frame.width), height: even(frame.height) }
}

export function maskToFrame({ width, height, data }: Mask): Frame {
  const frame = createFrame(width, height, 'bt601')
  frame.y.set(data)
  frame.u.fill(128)
  frame.v.fill(128)
  return frame
}

export function maskFromFrame({ width, height, y }: Frame): Mask {
  const data = new Uint8Array(y.length)
  for (let i = 0; i < y.length; i++) {
    const value = y[i] as number
    data[i] = value < codecNoise ? 0 : value > 255 - codecNoise ? 255 : value
  }
  return { width, height, data }
}
