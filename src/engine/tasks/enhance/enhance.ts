import { quantile } from '#engine/image/numbers.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPlane } from '#engine/image/pixels.ts'
import { feather, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { lumaOf, pictureOf, tonesOf } from '#engine/image/tones.ts'
import { denoise, estimateNoise } from './denoise.ts'
import { doubleSize, sharpen } from './upscale.ts'

const tilesAcross = 4
const tileSide = 64
/**
 * Distances in pixels between dots: finer dots are hardly visible; coarser ones are texture, and
 * blurring them would need a larger `partMargin`.
 */
const distances = { least: 2.4, most: 8.5 }
/**
 * Minimum power of dots relative to other frequencies of the same radius, in half of the tiles. 196
 * photographs reached at most 9; all but three of 72 simulated prints exceeded the limit.
 */
const minRatio = 20

/** Dot distance of a print in pixels, from the peak of its power spectrum; 0 if not printed. */
function halftoneDotDistance(luma: Plane): number {
  const across = Math.floor((luma.width - tileSide) / (tilesAcross - 1))
  const down = Math.floor((luma.height - tileSide) / (tilesAcross - 1))
  if (across < 1 || down < 1) return 0
  const spectra = Array.from({ length: tilesAcross * tilesAcross }, (_, k) =>
    powerSpectrum(luma, (k % tilesAcross) * across, Math.floor(k / tilesAcross) * down),
  )
  const power = Float32Array.from({ length: (tileSide * tileSide) / 2 }, (_, i) =>
    median(spectra.map((it) => it[i] as number)),
  )
  const rings = Map.groupBy(power.keys(), radiusOf)
  const usual = new Map([...rings].map(([radius, ring]) => [radius, median(ring.map((i) => power[i] as number))]))
  let best = { radius: 0, ratio: minRatio }
  for (const [i, value] of power.entries()) {
    const [down, across] = frequencyOf(i)
    const radius = radiusOf(i)
    // Lines and JPEG blocks have their frequencies on the axes; dots have them in two diagonal
    // directions.
    if (down < 2 || Math.abs(across) < 2 || radius < tileSide / distances.most || radius > tileSide / distances.least)
      continue
    const other =
      across > 0 ? power[across * tileSide + ((tileSide - down) % tileSide)] : power[-across * tileSide + down]
    const ratio = Math.min(value, other as number) / (usual.get(radius) as number)
    if (ratio > best.ratio) best = { radius, ratio }
  }
  return best.radius > 0 ? tileSide / best.radius : 0
}

/** Cycles per tile, down and across, of a spectrum index. */
const frequencyOf = (i: number): [number, number] => [
  Math.floor(i / tileSide),
  ((i + tileSide / 2) % tileSide) - tileSide / 2,
]
const radiusOf = (i: number) => Math.round(Math.hypot(...frequencyOf(i)))
const median = (values: number[]) => quantile(Float32Array.from(values), 0.5)

const cosines = Float32Array.from({ length: tileSide }, (_, i) => Math.cos((2 * Math.PI * i) / tileSide))
const sine = (i: number) => cosines[(i + 3 * (tileSide / 4)) % tileSide] as number
/** Hann window, so that the tile's border adds no frequencies. */
const hann = cosines.map((value) => (1 - value) / 2)

/** Half of the rows of squared Fourier coefficients; the others are symmetric. */
function powerSpectrum({ width, data }: Plane, left: number, top: number): Float32Array {
  const [real, imaginary] = [new Float32Array(tileSide * tileSide), new Float32Array(tileSide * tileSide)]
  for (let y = 0; y < tileSide; y++) {
    const line = hann.map((share, x) => share * (hann[y] as number) * (data[(top + y) * width + left + x] as number))
    for (let k = 0; k < tileSide; k++) {
      const [a, b] = coefficient(k, (x) => line[x] as number)
      real[k * tileSide + y] = a
      imaginary[k * tileSide + y] = b
    }
  }
  return Float32Array.from({ length: (tileSide * tileSide) / 2 }, (_, i) => {
    const [row, start] = [Math.floor(i / tileSide), tileSide * (i % tileSide)]
    const [a, b] = coefficient(row, (y) => real[start + y] as number)
    const [c, d] = coefficient(row, (y) => imaginary[start + y] as number)
    return (a - d) ** 2 + (b + c) ** 2
  })
}

function coefficient(k: number, value: (at: number) => number): [number, number] {
  let [real, imaginary] = [0, 0]
  for (let at = 0, turn = 0; at < tileSide; at++, turn = (turn + k) % tileSide) {
    real += value(at) * (cosines[turn] as number)
    imaginary -= value(at) * sine(turn)
  }
  return [real, imaginary]
}

/** Standard deviation of the blur that removes dots, as a share of their distance. */
const blur = 0.56

/** Blurs away print dots `distance` pixels apart. */
function blurHalftoneDots(plane: Plane, distance: number): Plane {
  const variance = (blur * distance) ** 2
  const radius = Math.max(1, Math.floor(Math.sqrt(variance / 3)))
  return feather(plane, radius, Math.round((3 * variance) / (radius * (radius + 1))))
}

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
