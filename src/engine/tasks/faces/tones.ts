import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'

export type LogTones = readonly [Plane, Plane, Plane]

/** Brightness and two chroma ratios, logarithmic, so that light only changes the first. */
export function logTones({ width, height, data }: Picture): LogTones {
  const planes = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  for (let i = 0; i < width * height; i++) {
    const red = logTable[data[4 * i] as number] as number
    const green = logTable[data[4 * i + 1] as number] as number
    const blue = logTable[data[4 * i + 2] as number] as number
    planes[0].data[i] = 0.3 * red + 0.59 * green + 0.11 * blue
    planes[1].data[i] = red - green
    planes[2].data[i] = blue - green
  }
  return planes
}

/** Added to 8-bit values before the logarithm, to limit noise in dark areas. */
export const toneOffset = 12
/** The logarithm of each 8-bit value. */
export const logTable = Float64Array.from({ length: 256 }, (_, value) => Math.log(value + toneOffset))

export interface MedianSpread {
  middle: number
  deviation: number
}

const enoughValues = 6000

/** Median, and the deviation from the median absolute distance. */
export function medianSpread(tone: Plane, where: Plane, least: number): MedianSpread {
  const found = new Float32Array(tone.data.length)
  let count = 0
  for (let i = 0; i < found.length; i++) if ((where.data[i] as number) > 0) found[count++] = tone.data[i] as number
  const step = Math.ceil(count / enoughValues)
  const values = Float32Array.from(
    { length: Math.floor(count / step) || 0 },
    (_, k) => found[k * step] as number,
  ).sort()
  if (values.length === 0) return { middle: 0, deviation: 1 }
  const middle = values[values.length >> 1] as number
  const away = values.map((value) => Math.abs(value - middle)).sort()
  return { middle, deviation: Math.min(3 * least, Math.max(least, 1.48 * (away[away.length >> 1] as number))) }
}

/** Logarithmic darkness of beards and sunglasses relative to skin. */
const darkFrom = 0.3

export function darkParts(light: Plane, skin: Plane): Plane {
  const { middle } = medianSpread(light, skin, 0.1)
  return { ...light, data: light.data.map((value) => (value < middle - darkFrom ? 1 : 0)) }
}
