import type { Picture } from '#engine/image/picture.ts'
import { fitWithin, pixelsOf } from '#engine/image/pixels.ts'
import { pipeline } from './codecs.ts'

/** Reduced alpha quality is invisible here; full quality takes half of the encoder's time. */
const encoding = { quality: 78, alphaQuality: 80, effort: 2 }

/** A WebP of at most `side` pixels on the longer side; transparency is kept. */
export async function encodeThumbnail(
  picture: Picture,
  side: number,
): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const { width, height } = fitWithin(picture, side)
  const subsampled = subsample(picture, 4 * side)
  const bytes = await pipeline(subsampled).resize(width, height, { fit: 'fill' }).webp(encoding).toBuffer()
  return { bytes, width, height }
}

/** Enough for averaging down to a quarter of the pixels kept. */
function subsample(picture: Picture, side: number): Picture {
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
