import { crc32 } from 'node:zlib'
import { readSourceLabel, withSourceLabel } from '#engine/node/source-label.ts'
import { imageLimits } from '#shared/media.ts'
import { hasHiddenContent } from './appended-data.ts'
import { heifCoding, readHeif } from './heif.ts'
import { readJpeg } from './jpeg.ts'
import {
  BrokenPicture,
  fourLetters,
  keeper,
  type PictureFile,
  partCounter,
  RefusedPicture,
  viewOf,
} from './picture-file.ts'
import { readWebp } from './webp.ts'

/**
 * Chunks that affect the display (W3C PNG, third edition, §11); of the others only critical ones
 * stay.
 */
const displayChunks = new Set(['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'bKGD', 'pHYs'])

/**
 * Walks the chunks until IEND (§5); critical ones must have the right checksum. Texts and time are
 * removed, EXIF is reduced by `sanitizeExif`.
 */
function readPng(bytes: Uint8Array): PictureFile {
  const view = viewOf(bytes)
  const count = partCounter()
  const kept = keeper(bytes)
  let size: { width: number; height: number } | undefined
  let animated = false
  let data = false
  let at = 8
  kept.keep(0, at)
  for (;;) {
    count()
    if (at + 12 > bytes.length) throw new BrokenPicture('the end is missing')
    const length = view.getUint32(at)
    const name = fourLetters(bytes, at + 4)
    const body = at + 8
    const next = body + length + 4
    if (next > bytes.length) throw new BrokenPicture('a chunk is cut off')
    const critical = ((bytes[at + 4] ?? 0) & 0x20) === 0
    if (critical && crc32(bytes.subarray(at + 4, body + length)) !== view.getUint32(body + length)) {
      throw new BrokenPicture('a chunk is damaged')
    }
    if (!size) {
      if (name !== 'IHDR' || length !== 13) throw new BrokenPicture('the header is missing')
      size = { width: view.getUint32(body), height: view.getUint32(body + 4) }
    } else if (name === 'acTL') animated = true
    else if (name === 'IDAT') data = true
    else if (name === 'eXIf') kept.describe(bytes.subarray(body, body + length), exifChunk)
    if (critical || displayChunks.has(name)) kept.keep(at, next)
    at = next
    if (name === 'IEND') break
  }
  if (!data) throw new BrokenPicture('there is no picture in it')
  kept.close()
  const orientation = kept.orientation() ?? 1
  return { contentType: 'image/png', ...size, orientation, animated, end: at, parts: kept.parts }
}

function exifChunk(block: Uint8Array): Uint8Array {
  const chunk = Buffer.alloc(block.length + 12)
  chunk.writeUInt32BE(block.length)
  chunk.write('eXIf', 4, 'latin1')
  chunk.set(block, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, block.length + 8)), block.length + 8)
  return chunk
}

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
 * XMP, comments and texts, but keeps the label of how the picture was made. `bytes` may be
 * changed. Throws a RefusedPicture.
 */
export function checkPicture(bytes: Uint8Array): CheckedPicture {
  if (bytes.length === 0) throw new RefusedPicture('upload.empty', 'empty')
  const source = readSourceLabel(bytes)
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
    parts: source ? [withSourceLabel(Buffer.concat(file.parts), file.contentType, source)] : file.parts,
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
