import { exifOrientation } from './exif-orientation.ts'
import { BrokenPicture, fourLetters, type PictureFacts, viewOf } from './picture-facts.ts'

/** Walks a WebP's chunks (RFC 9649); the file must be as long as its header says. */
export function webpFacts(bytes: Uint8Array): PictureFacts {
  const view = viewOf(bytes)
  const end = view.getUint32(4, true) + 8
  if (end > bytes.length) throw new BrokenPicture('the end is missing')
  let canvas: { width: number; height: number } | undefined
  let frame: { width: number; height: number } | undefined
  let orientation = 1
  let animated = false
  for (let at = 12; at + 8 <= end; ) {
    const name = fourLetters(bytes, at)
    const length = view.getUint32(at + 4, true)
    const body = at + 8
    if (body + length > end) throw new BrokenPicture('a chunk is cut off')
    if (name === 'VP8X' && length >= 10) {
      animated ||= ((bytes[body] ?? 0) & 0x02) !== 0
      canvas = { width: 1 + read24(view, body + 4), height: 1 + read24(view, body + 7) }
    } else if (name === 'ANIM' || name === 'ANMF') animated = true
    else if (name === 'VP8 ') frame ??= lossy(view, body, length)
    else if (name === 'VP8L') frame ??= lossless(view, body, length)
    else if (name === 'EXIF') orientation = exifOrientation(withoutPrefix(bytes.subarray(body, body + length)))
    at = body + length + (length % 2)
  }
  const size = canvas ?? frame
  if (!size || (!frame && !animated)) throw new BrokenPicture('there is no picture in it')
  return { contentType: 'image/webp', ...size, orientation, animated, end }
}

/** Some writers put JPEG's `Exif\0\0` before the block. */
function withoutPrefix(block: Uint8Array): Uint8Array {
  return block.length >= 6 && fourLetters(block, 0) === 'Exif' ? block.subarray(6) : block
}

function read24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
}

/** Key frame header (RFC 6386 §9.1). */
function lossy(view: DataView, at: number, length: number): { width: number; height: number } {
  if (length < 10 || view.getUint16(at + 3) !== 0x9d01 || view.getUint8(at + 5) !== 0x2a) {
    throw new BrokenPicture('the frame header is wrong')
  }
  return { width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }
}

/** RFC 9649 §3.4. */
function lossless(view: DataView, at: number, length: number): { width: number; height: number } {
  if (length < 5 || view.getUint8(at) !== 0x2f) throw new BrokenPicture('the frame header is wrong')
  const packed = view.getUint32(at + 1, true)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}
