import { clamp } from '#engine/image/numbers.ts'
import type { Plane, Size } from '#engine/image/picture.ts'
import { resizePlane, resizeSmooth } from '#engine/image/plane.ts'
import type { Frame } from '../video/frame.ts'
import {
  colourFeatures,
  colourShifter,
  displacementNoise,
  displacementReach,
  reflectedLumaShift,
} from './colour-shift.ts'
import { drawLetters } from './watermark-letters.ts'
import type { WatermarkRandomness } from './watermark-randomness.ts'

const [black, white, grey] = [16, 235, 128]

/**
 * Letters, displacement and the own part of the shifts are the same in all frames, because varying
 * patterns could be averaged away over time. Frames have one size and are changed in place.
 */
export function frameSampler(size: Size, draws: WatermarkRandomness): (frame: Frame) => void {
  const { width, height } = size
  const half = { width: width >> 1, height: height >> 1 }
  const shiftOf = colourShifter(size, draws)
  const { light, dark } = drawLetters(size, draws)
  const places = displacementNoise(size, draws)
  const reach = displacementReach(size)
  const fine = [places.right, places.down].map(({ data }) => data.map((value) => reach * value)) as Pair
  const coarse = [places.right, places.down].map((plane) => {
    return resizePlane(plane, half).data.map((value) => (reach / 2) * value)
  }) as Pair
  return (frame) => {
    const { y, u, v, alpha } = frame
    move(y, size, fine)
    move(u, half, coarse)
    move(v, half, coarse)
    if (alpha) move(alpha, size, fine)
    const shift = shiftOf(featuresOf(frame))
    const enlarged = (data: Float32Array, to: Size) => {
      return resizeSmooth({ width: shift.width, height: shift.height, data }, to.width, to.height).data
    }
    const brighter = enlarged(shift.y, size)
    const [blue, red] = [enlarged(shift.blue, half), enlarged(shift.red, half)]
    for (let i = 0; i < y.length; i++) {
      const ink = light.data[i] as number
      const added = ink + (dark.data[i] as number)
      const luma = y[i] as number
      const shifted = clamp(luma + reflectedLumaShift(brighter[i] as number, luma), black, white)
      const stays = (alpha ? (alpha[i] as number) / 255 : 1) * (1 - added)
      const covered = added + stays
      if (covered > 0) y[i] = (white * ink + black * (added - ink) + shifted * stays) / covered
      if (alpha) alpha[i] = 255 * covered
    }
    for (let row = 0, i = 0; row < half.height; row++) {
      for (let column = 0; column < half.width; column++, i++) {
        const at = 2 * row * width + 2 * column
        const stays = 1 - (light.data[at] as number) - (dark.data[at] as number)
        u[i] = clamp(grey + stays * ((u[i] as number) - grey + (blue[i] as number)), black, 240)
        v[i] = clamp(grey + stays * ((v[i] as number) - grey + (red[i] as number)), black, 240)
      }
    }
  }
}

type Pair = [Float32Array, Float32Array]

function featuresOf({ width, height, y, u, v }: Frame) {
  const plane = (values: Uint8Array, size: Size, middle: number): Plane => {
    return { ...size, data: Float32Array.from(values, (value) => (value - middle) / (white - black)) }
  }
  const half = { width: width >> 1, height: height >> 1 }
  const planes = [plane(y, { width, height }, black), plane(u, half, grey), plane(v, half, grey)]
  return colourFeatures(planes, { width, height })
}

function move(values: Uint8Array, { width, height }: Size, [right, down]: Pair): void {
  const from = values.slice()
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const fromX = clamp(x + (right[i] as number), 0, width - 1.001)
      const fromY = clamp(y + (down[i] as number), 0, height - 1.001)
      const left = fromX | 0
      const top = fromY | 0
      const across = fromX - left
      const along = fromY - top
      const at = top * width + left
      const upper = (from[at] as number) * (1 - across) + (from[at + 1] as number) * across
      const lower = (from[at + width] as number) * (1 - across) + (from[at + width + 1] as number) * across
      values[i] = upper + (lower - upper) * along + 0.5
    }
  }
}
