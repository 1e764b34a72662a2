import type { Picture } from '#engine/image/picture.ts'
import { fitWithin, pixelsOf } from '#engine/image/pixels.ts'
import { pipeline } from './codecs.ts'

/**
 * Of a thumbnail's alpha nobody sees every level; keeping all would take half of the encoder's
 * time.
 */
const encoding = { quality: 78, alphaQuality: 80, effort: 2 }

/** A WebP of at most `side` pixels on the longer side; transparency is kept. */
export async function encodeThumbnail(
  picture: Picture,
  side: number,
): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const { width, height } = fitWithin(picture, side)
  const thin = thinOut(picture, 4 * side)
  const source = Math.max(thin.width, thin.height) >= 2 * side ? halve(thin) : thin
  const bytes = await pipeline(source).resize(width, height, { fit: 'fill' }).webp(encoding).toBuffer()
  return { bytes, width, height }
}

/**
 * Every so many pixels of a large picture, at least `side` on the longer side: plenty for averaging
 * it down to a quarter of that.
 */
function thinOut(picture: Picture, side: number): Picture {
  const step = Math.floor(Math.max(picture.width, picture.height) / side)
  if (step < 2) return picture
  const width = Math.floor(picture.width / step)
  const height = Math.floor(picture.height / step)
  const from = pixelsOf(picture.data)
  const pixels = new Int32Array(width * height)
  const first = step >> 1
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0, at = (y * step + first) * picture.width + first; x < width; x++, at += step) {
      pixels[i++] = from[at] as number
    }
  }
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) }
}

/**
 * The means of two by two pixels, which libvips would take many times as long for: it knows no
 * whole numbers where there is alpha.
 */
function halve(picture: Picture): Picture {
  const width = Math.max(1, picture.width >> 1)
  const height = Math.max(1, picture.height >> 1)
  const from = pixelsOf(picture.data)
  const pixels = new Int32Array(width * height)
  const right = Math.min(1, picture.width - 1)
  const below = picture.height > 1 ? picture.width : 0
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0, at = 2 * y * picture.width; x < width; x++, i++, at += 2) {
      const a = from[at] as number
      const b = from[at + right] as number
      const c = from[at + below] as number
      const d = from[at + below + right] as number
      if ((a | b | c | d) >>> 24 !== 0)
        pixels[i] = (a & b & c & d) >>> 24 === 255 ? meanOf(a, b, c, d) : mix(a, b, c, d)
    }
  }
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) }
}

/** The mean of four pixels as a whole, two bytes at once. */
function meanOf(a: number, b: number, c: number, d: number): number {
  const even = (a & pairs) + (b & pairs) + (c & pairs) + (d & pairs) + halves
  const odd = ((a >>> 8) & pairs) + ((b >>> 8) & pairs) + ((c >>> 8) & pairs) + ((d >>> 8) & pairs) + halves
  return ((even >>> 2) & pairs) | (((odd >>> 2) & pairs) << 8)
}

/** Every other byte of a pixel, and what rounds a sum of four there. */
const pairs = 0x00ff00ff
const halves = 0x00020002

/** The mean of four pixels, whose colours count by their alpha. */
function mix(a: number, b: number, c: number, d: number): number {
  const sum = (a >>> 24) + (b >>> 24) + (c >>> 24) + (d >>> 24)
  let mixed = Math.round(sum / 4) << 24
  for (let shift = 0; shift < 24; shift += 8) {
    const colour =
      (a >>> 24) * ((a >>> shift) & 255) +
      (b >>> 24) * ((b >>> shift) & 255) +
      (c >>> 24) * ((c >>> shift) & 255) +
      (d >>> 24) * ((d >>> shift) & 255)
    mixed |= Math.round(colour / sum) << shift
  }
  return mixed
}
