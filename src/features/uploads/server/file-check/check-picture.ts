import { crc32 } from 'node:zlib'
import { dataEnd } from '#engine/image/jpeg-scan.ts'
import { readSourceLabel, withSourceLabel } from '#engine/node/source-label.ts'
import { imageLimits } from '#shared/media.ts'
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

const endOfZip = Buffer.from('PK\x05\x06', 'latin1')
const maxZipTail = 65_557
/** Byte of ISO 8859-1 text. */
const textByte = '[\\t\\n\\r\\x20-\\x7e]'
/** Readers of such files look at the first bytes only. */
const files = new RegExp(`^\\s*(<[a-z!?]${textByte}{6}|%PDF-|PK\\x03\\x04|Rar!|\\x7fELF|#! ?/${textByte}{2})`, 'i')
const program = /^MZ/
/** A whole tag: the same few letters occur in any film by chance. */
const code = new RegExp(`<(script|html|svg|!doctype)(\\s${textByte}{0,400}?)?/?>|<\\?php\\s${textByte}{4}`, 'i')

/**
 * Phones append data (motion photos, gain maps, depth maps), which are dropped silently. A page,
 * script, document or archive is meant for another reader. `rest`: the bytes behind the picture.
 */
function hasHiddenContent(rest: Uint8Array): boolean {
  if (rest.length < 4) return false
  const tail = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength)
  if (files.test(tail.toString('latin1', 0, 1024))) return true
  if (program.test(tail.toString('latin1', 0, 2)) && isProgram(tail)) return true
  let at = 0
  for (const { from, to } of compressedRanges(tail)) {
    if (code.test(tail.toString('latin1', at, from))) return true
    at = Math.max(at, to)
  }
  return code.test(tail.toString('latin1', at)) || endsAsArchive(tail)
}

/** The header of a Windows program points to a second one. */
function isProgram(tail: Buffer): boolean {
  const at = tail.length >= 64 ? tail.readUInt32LE(60) : tail.length
  return fourLetters(tail, at) === 'PE\0\0'
}

/** Archives are read from their end, which tells the length of a comment. */
function endsAsArchive(tail: Buffer): boolean {
  const at = tail.lastIndexOf(endOfZip)
  if (at < 0 || at < tail.length - maxZipTail) return false
  return at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length
}

/** Data of films and pictures, in ascending order: no reader executes them. */
function compressedRanges(tail: Buffer): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  const film = tail.indexOf('ftyp', 4, 'latin1')
  const start = film < 0 ? tail.length : film - 4
  for (let at = tail.indexOf('\xff\xd8\xff', 0, 'latin1'); at >= 0 && at < start; ) {
    const scan = tail.indexOf('\xff\xda', at, 'latin1')
    if (scan < 0 || scan > start) break
    const to = dataEnd(tail, scan + 2)
    found.push({ from: scan, to })
    at = tail.indexOf('\xff\xd8\xff', to, 'latin1')
  }
  const view = viewOf(tail)
  for (let at = start, boxes = 0; at + 16 <= tail.length && boxes < 1000; boxes++) {
    const short = view.getUint32(at)
    const length = short === 0 ? tail.length - at : short === 1 ? Number(view.getBigUint64(at + 8)) : short
    if (length < 8) break
    const to = Math.min(at + length, tail.length)
    if (fourLetters(tail, at + 4) === 'mdat') found.push({ from: at + 8, to })
    at = to
  }
  return found
}

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
