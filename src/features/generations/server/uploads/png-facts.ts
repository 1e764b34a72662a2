import { crc32 } from 'node:zlib'
import { exifOrientation } from './exif-orientation.ts'
import { BrokenPicture, fourLetters, type PictureFacts, viewOf } from './picture-facts.ts'

/** Walks a PNG's chunks until IEND (W3C PNG, third edition, §5); critical chunks must have the right checksum. */
export function pngFacts(bytes: Uint8Array): PictureFacts {
  const view = viewOf(bytes)
  let size: { width: number; height: number } | undefined
  let orientation = 1
  let animated = false
  let data = false
  let at = 8
  for (;;) {
    if (at + 12 > bytes.length) throw new BrokenPicture('the end is missing')
    const length = view.getUint32(at)
    const name = fourLetters(bytes, at + 4)
    const body = at + 8
    if (body + length + 4 > bytes.length) throw new BrokenPicture('a chunk is cut off')
    const critical = ((bytes[at + 4] ?? 0) & 0x20) === 0
    if (critical && crc32(bytes.subarray(at + 4, body + length)) !== view.getUint32(body + length)) {
      throw new BrokenPicture('a chunk is damaged')
    }
    if (!size) {
      if (name !== 'IHDR' || length !== 13) throw new BrokenPicture('the header is missing')
      size = { width: view.getUint32(body), height: view.getUint32(body + 4) }
    } else if (name === 'acTL') animated = true
    else if (name === 'IDAT') data = true
    else if (name === 'eXIf') orientation = exifOrientation(bytes.subarray(body, body + length))
    at = body + length + 4
    if (name === 'IEND') break
  }
  if (!data) throw new BrokenPicture('there is no picture in it')
  return { contentType: 'image/png', ...size, orientation, animated, end: at }
}
