import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPlane } from '#engine/image/pixels.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import { lumaOf, pictureOf, tonesOf } from '#engine/image/tones.ts'
import { denoise, estimateNoise } from './denoise.ts'
import { blurHalftoneDots, halftoneDotDistance } from './halftone.ts'
import { doubleSize, sharpen } from './upscale.ts'

export interface EnhanceOptions {
  scale: 1 | 2 | 4
  /** Strengths of cleaning (noise and print dots) and of sharpening, 0 to 1. */
  denoise: number
  sharpness: number
  /** Sharpening factors; a plane of any size over the whole picture. */
  detail?: Plane | undefined
  /** Pass the measurement of the whole picture when enhancing a part. */
  noise?: Noise
}

export interface Noise {
  /** Standard deviation of random noise and JPEG blocks in the brightness, 0 to 1. */
  sigma: number
  /** Distance in pixels between the dots of a print; 0 if not printed. */
  dots: number
}

/** Pixels of the result rendered at once, to limit memory. */
const bandPixels = 4_000_000
const noiseBandRows = 1024
/** Margin in pixels around a part that influences it; a multiple of the window steps. */
export const partMargin = 24

/**
 * Cleans, enlarges and sharpens a picture: blurs print dots, removes noise and JPEG blocks in the
 * opponent colour space, enlarges along edges and sharpens without halos; alpha by nearest
 * neighbour. An exception from `checkpoint`, called with the finished share between bands, stops
 * the work.
 */
export function enhance(
  picture: Picture,
  options: EnhanceOptions,
  checkpoint: (fraction: number) => void = () => {},
): Picture {
  const { width, height } = picture
  const { scale } = options
  const noise = options.noise ?? measureNoise(picture)
  const data = new Uint8ClampedArray(width * height * scale * scale * 4)
  // Whole windows of the noise reduction, and enough rows for the overlap to cost little.
  const bandRows = partMargin * Math.max(4, Math.floor(bandPixels / (width * scale * scale) / partMargin))
  for (let top = 0; top < height; top += bandRows) {
    checkpoint(top / height)
    const bottom = Math.min(height, top + bandRows)
    const above = Math.max(0, top - partMargin)
    const below = Math.min(height, bottom + partMargin)
    const detail = options.detail && rowsOfPlane(options.detail, above / height, below / height)
    const large = enhanceBand(rowsOf(picture, above, below), { ...options, detail }, noise)
    const row = 4 * width * scale
    const start = (top - above) * scale * row
    data.set(large.data.subarray(start, start + (bottom - top) * scale * row), top * scale * row)
  }
  return { width: width * scale, height: height * scale, data }
}

/** Measures noise and print dots in the middle rows of a picture. */
export function measureNoise(picture: Picture): Noise {
  const luma = lumaOf(rowsOf(picture, ...noiseRows(picture.height)), 1)
  const dots = halftoneDotDistance(luma)
  return { dots, sigma: estimateNoise(dots > 0 ? blurHalftoneDots(luma, dots) : luma) }
}

/** First and last row (exclusive) for measuring noise in a picture of the given height. */
export function noiseRows(height: number): [number, number] {
  const top = Math.max(0, Math.floor((height - noiseBandRows) / 2))
  return [top, Math.min(height, top + noiseBandRows)]
}

function rowsOfPlane(plane: Plane, from: number, to: number): Plane {
  const top = Math.min(plane.height - 1, Math.floor(from * plane.height))
  return cropPlane(plane, 0, top, plane.width, Math.max(1, Math.round(to * plane.height) - top))
}

function rowsOf({ width, data }: Picture, top: number, bottom: number): Picture {
  return { width, height: bottom - top, data: data.subarray(4 * width * top, 4 * width * bottom) }
}

function enhanceBand(
  picture: Picture,
  { scale, denoise: strength, sharpness, detail }: EnhanceOptions,
  { sigma, dots }: Noise,
): Picture {
  const { luma, blue, red } = tonesOf(picture)
  const soften = (plane: Plane) => (strength * dots > 0 ? blurHalftoneDots(plane, strength * dots) : plane)
  let large = denoise(soften(luma), strength * sigma)
  for (let factor = 1; factor < scale; factor *= 2) large = doubleSize(large)
  const where = detail && sharpness > 0 ? resizeSmooth(detail, large.width, large.height) : undefined
  sharpen(large, scale === 1 ? 1 : scale, sharpness, 0.012 + sigma, where)
  const clean = (plane: Plane) => cleanColour(soften(plane), strength, sigma, scale)
  return copyAlpha(pictureOf({ luma: large, blue: clean(blue), red: clean(red) }), picture, scale)
}

/** Works at half the size: colour noise is coarse, and the eye resolves little colour detail. */
function cleanColour(plane: Plane, strength: number, sigma: number, scale: number): Plane {
  const { width, height } = plane
  if (strength * sigma < 0.004 || Math.min(width, height) < 32)
    return resizeSmooth(plane, scale * width, scale * height)
  const half = shrink(plane, Math.ceil(width / 2), Math.ceil(height / 2))
  const clean = denoise(half, strength * Math.max(estimateNoise(half), 0.7 * sigma))
  return resizeSmooth(clean, scale * width, scale * height)
}

function copyAlpha(large: Picture, { width, data }: Picture, scale: number): Picture {
  for (let y = 0, at = 3; y < large.height; y++) {
    const row = Math.floor(y / scale) * width
    for (let x = 0; x < large.width; x++, at += 4)
      large.data[at] = data[4 * (row + Math.floor(x / scale)) + 3] as number
  }
  return large
}
