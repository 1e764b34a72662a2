import { crc32 } from 'node:zlib'
import { BrokenPicture, fourLetters, keeper, type PictureFile, partCounter, viewOf } from './picture-file.ts'

/**
 * Chunks that affect the display (W3C PNG, third edition, §11); of the others only critical ones
 * stay.
 */
const displayChunks = new Set(['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'bKGD', 'pHYs'])

/**
 * Walks the chunks until IEND (§5); critical ones must have the right checksum. Texts and time are
 * removed, EXIF is reduced by `sanitizeExif`.
 */
export function readPng(bytes: Uint8Array): PictureFile {
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
