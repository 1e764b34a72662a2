import { imageLimits } from '#shared/media.ts'
import { heifCoding, readHeif } from './heif.ts'
import { hasHiddenContent } from './hidden-content.ts'
import { readJpeg } from './jpeg.ts'
import { BrokenPicture, fourLetters, type PictureFile, RefusedPicture } from './picture-file.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

export interface CheckedPicture {
  contentType: PictureFile['contentType']
  /** Size of the upright picture in pixels. */
  width: number
  height: number
  /** The file to keep: without metadata about its owner, and without bytes after the picture. */
  parts: Uint8Array[]
}

/**
 * Checks type, completeness and size without decoding. Leaves out EXIF (except the orientation),
 * XMP, comments and texts. `bytes` may be changed. Throws a RefusedPicture.
 */
export function checkPicture(bytes: Uint8Array): CheckedPicture {
  if (bytes.length === 0) throw new RefusedPicture('upload.empty', 'empty')
  const file = read(bytes)
  const { width, height } = file
  const [short, long] = width < height ? [width, height] : [height, width]
  if (file.animated) throw new RefusedPicture('upload.animated', 'animated')
  if (short === 0) throw new BrokenPicture('the size is missing')
  if (width * height > imageLimits.pixels) throw new RefusedPicture('upload.too_many_pixels', 'too many pixels')
  if (short < imageLimits.minSide) throw new RefusedPicture('upload.too_small', 'too small')
  if (long > short * imageLimits.maxAspect) throw new RefusedPicture('upload.too_narrow', 'too narrow')
  if (hasHiddenContent(bytes.subarray(file.end))) {
    throw new RefusedPicture('upload.not_image', 'another file hides behind the picture')
  }
  const turned = file.orientation >= 5
  return {
    contentType: file.contentType,
    width: turned ? height : width,
    height: turned ? width : height,
    parts: file.parts,
  }
}

function read(bytes: Uint8Array): PictureFile {
  try {
    if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return readJpeg(bytes)
    if (fourLetters(bytes, 0) === '\x89PNG' && fourLetters(bytes, 4) === '\r\n\x1a\n') return readPng(bytes)
    if (fourLetters(bytes, 0) === 'RIFF' && fourLetters(bytes, 8) === 'WEBP') return readWebp(bytes)
    const heif = heifCoding(bytes)
    if (heif === 'avif') return readHeif(bytes, 'image/avif')
    if (heif === 'heic') return readHeif(bytes, 'image/heic')
  } catch (error) {
    // A length in the file points outside of it.
    if (error instanceof RangeError) throw new BrokenPicture('the file is cut off')
    throw error
  }
  throw new RefusedPicture('upload.not_image', 'not a JPEG, PNG, WebP, AVIF or HEIC picture')
}
