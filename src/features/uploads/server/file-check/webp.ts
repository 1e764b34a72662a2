import { BrokenPicture, fourLetters, keeper, type PictureFile, partCounter, viewOf } from './picture-file.ts'

const displayChunks = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ICCP'])
/** Flags of the extended header (RFC 9649 §2.7). */
const flags = { animation: 0x02, xmp: 0x04, exif: 0x08 }

/**
 * Walks the chunks (RFC 9649); the file must be as long as its header says. XMP is removed, EXIF is
 * reduced by `sanitizeExif`.
 */
export function readWebp(bytes: Uint8Array): PictureFile {
  const view = viewOf(bytes)
  const count = partCounter()
  const end = view.getUint32(4, true) + 8
  if (end > bytes.length) throw new BrokenPicture('the end is missing')
  const kept = keeper(bytes)
  let extended: number | undefined
  let canvas: { width: number; height: number } | undefined
  let frame: { width: number; height: number } | undefined
  let animated = false
  for (let at = 12; at + 8 <= end; ) {
    count()
    const name = fourLetters(bytes, at)
    const length = view.getUint32(at + 4, true)
    const body = at + 8
    if (body + length > end) throw new BrokenPicture('a chunk is cut off')
    if (name === 'VP8X') {
      // Decoders read the extended header only at this offset.
      if (at !== 12 || length < 10) throw new BrokenPicture('the extended header is wrong')
      extended = body
      animated ||= ((bytes[body] ?? 0) & flags.animation) !== 0
      canvas = { width: 1 + read24(view, body + 4), height: 1 + read24(view, body + 7) }
    } else if (name === 'ANIM' || name === 'ANMF') animated = true
    else if (name === 'VP8 ') frame ??= lossy(view, body, length)
    else if (name === 'VP8L') frame ??= lossless(view, body, length)
    else if (name === 'EXIF') kept.describe(withoutPrefix(bytes.subarray(body, body + length)), exifChunk)
    const next = Math.min(body + length + (length % 2), end)
    if (displayChunks.has(name)) kept.keep(at, next)
    at = next
  }
  const size = canvas ?? frame
  if (!size || (!frame && !animated)) throw new BrokenPicture('there is no picture in it')
  if (canvas && frame && !animated && (canvas.width !== frame.width || canvas.height !== frame.height)) {
    throw new BrokenPicture('the picture has not the size that the header tells')
  }
  kept.close()
  if (extended !== undefined) {
    const others = (bytes[extended] ?? 0) & ~flags.xmp & ~flags.exif
    bytes[extended] = others | (kept.orientation() ? flags.exif : 0)
  }
  const orientation = kept.orientation() ?? 1
  const parts = [riffHeader(kept.parts), ...kept.parts]
  return { contentType: 'image/webp', ...size, orientation, animated, end, parts }
}

function riffHeader(parts: Uint8Array[]): Uint8Array {
  const header = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  header.writeUInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0), 4)
  return header
}

function exifChunk(block: Uint8Array): Uint8Array {
  const header = Buffer.from('EXIF\0\0\0\0', 'latin1')
  header.writeUInt32LE(block.length, 4)
  return Buffer.concat([header, block])
}

/** Some writers put JPEG's `Exif\0\0` before the block. */
function withoutPrefix(block: Uint8Array): Uint8Array {
  return block.length >= 6 && fourLetters(block, 0) === 'Exif' ? block.subarray(6) : block
}

function read24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}

/** Reads the key frame header (RFC 6386 §9.1). */
function lossy(view: DataView, at: number, length: number): { width: number; height: number } {
  if (length < 10 || view.getUint16(at + 3) !== 0x9d01 || view.getUint8(at + 5) !== 0x2a) {
    throw new BrokenPicture('the frame header is wrong')
  }
  return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }
}

/** Reads the header of RFC 9649 §3.4. */
function lossless(view: DataView, at: number, length: number): { width: number; height: number } {
  if (length < 5 || view.getUint8(at) !== 0x2f) throw new BrokenPicture('the frame header is wrong')
  const packed = view.getUint32(at + 1, true)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}
