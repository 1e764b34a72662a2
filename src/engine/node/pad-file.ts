import { crc32 } from 'node:zlib'
import type { ImageFormat } from '#contract/media.ts'

/**
 * Adds bytes that decoders skip until a file has at least `minBytes`: comments in JPEG, chunks of
 * an unknown kind in PNG and WebP.
 */
export function padFile(file: Uint8Array, format: ImageFormat, minBytes: number): Uint8Array {
  const missing = minBytes - file.length
  if (missing <= 0) return file
  if (format === 'jpeg') return insert(file, 2, jpegComments(missing))
  if (format === 'png') return insert(file, file.length - pngEndBytes, pngChunk(missing))
  return webpWithChunk(file, missing)
}

const pngEndBytes = 12
const maxSegment = 65_533

function insert(file: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  return Buffer.concat([file.subarray(0, at), part, file.subarray(at)])
}

/** COM segments directly after the start of the image. */
function jpegComments(bytes: number): Uint8Array {
  const segments: Buffer[] = []
  for (let left = bytes; left > 0; ) {
    const content = Math.max(0, Math.min(maxSegment, left - 4))
    const segment = Buffer.alloc(content + 4, 0x20)
    segment.writeUInt16BE(0xfffe, 0)
    segment.writeUInt16BE(content + 2, 2)
    segments.push(segment)
    left -= segment.length
  }
  return Buffer.concat(segments)
}

/**
 * An ancillary, private chunk that editors may copy: its name's second and fourth letters are
 * small.
 */
function pngChunk(bytes: number): Uint8Array {
  const content = Math.max(0, bytes - 12)
  const chunk = Buffer.alloc(content + 12, 0)
  chunk.writeUInt32BE(content, 0)
  chunk.write('paDd', 4, 'latin1')
  chunk.writeUInt32BE(crc32(chunk.subarray(4, content + 8)), content + 8)
  return chunk
}

function webpWithChunk(file: Uint8Array, bytes: number): Uint8Array {
  const content = Math.max(0, bytes - 8)
  const even = content + (content % 2)
  const chunk = Buffer.alloc(8 + even, 0)
  chunk.write('PADD', 0, 'latin1')
  chunk.writeUInt32LE(even, 4)
  const padded = Buffer.concat([file, chunk])
  padded.writeUInt32LE(padded.length - 8, 4)
  return padded
}
