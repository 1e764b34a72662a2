import { BrokenPicture, fourLetters, keeper, type PictureFile, partCounter, viewOf } from './picture-file.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const comment = 0xfe
const [app0, app1, app2, app14, app15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef]
/** A progressive picture has about ten; thousands are meant to keep a decoder busy. */
const maxScans = 200

/**
 * Walks the markers (ITU-T T.81 annex B); a file without an end is cut off. JFIF, Adobe and the
 * colour profile stay; EXIF is reduced by `sanitizeExif`.
 */
export function readJpeg(bytes: Uint8Array): PictureFile {
  const view = viewOf(bytes)
  const count = partCounter()
  const kept = keeper(bytes)
  let size: { width: number; height: number } | undefined
  let scans = 0
  let at = 2
  kept.keep(0, 2)
  for (;;) {
    count()
    if (bytes[at] !== 0xff) throw new BrokenPicture('a marker is missing')
    while (bytes[at + 1] === 0xff) at += 1
    const start = at
    const marker = bytes[at + 1]
    if (marker === undefined) throw new BrokenPicture('the end is missing')
    at += 2
    if (marker === endOfImage) break
    if (marker === startOfImage || marker === 0x01 || isRestart(marker)) continue
    if (at + 2 > bytes.length) throw new BrokenPicture('the end is missing')
    const length = view.getUint16(at)
    const next = at + length
    if (length < 2 || next > bytes.length) throw new BrokenPicture('a segment is cut off')
    if (isFrame(marker)) {
      if (size || length < 8) throw new BrokenPicture('the frame header is wrong')
      size = { width: view.getUint16(at + 5), height: view.getUint16(at + 3) }
    } else if (marker === app1 && fourLetters(bytes, at + 2) === 'Exif') {
      kept.describe(bytes.subarray(at + 8, next), exifSegment)
    }
    const end = marker === startOfScan ? endOfScan(bytes, next) : next
    if (!isPrivate(bytes, marker, at + 2)) kept.keep(start, end)
    at = end
    if (marker === startOfScan) scans += 1
    if (scans > maxScans) throw new BrokenPicture('too many scans')
  }
  if (!size || scans === 0) throw new BrokenPicture('there is no picture in it')
  kept.keep(at - 2, at)
  kept.close()
  const orientation = kept.orientation() ?? 1
  return { contentType: 'image/jpeg', ...size, orientation, animated: false, end: at, parts: kept.parts }
}

function isPrivate(bytes: Uint8Array, marker: number, content: number): boolean {
  if (marker === comment) return true
  if (marker < app0 || marker > app15) return false
  if (marker === app0) return fourLetters(bytes, content) !== 'JFIF'
  if (marker === app2) return Buffer.from(bytes.subarray(content, content + 11)).toString('latin1') !== 'ICC_PROFILE'
  return marker !== app14
}

function exifSegment(block: Uint8Array): Uint8Array {
  const length = block.length + 8
  return Buffer.concat([Buffer.from([0xff, app1, length >> 8, length & 255]), Buffer.from('Exif\0\0', 'latin1'), block])
}

/** The first marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length - 1; at += 1) {
    if (bytes[at] !== 0xff) continue
    const following = bytes[at + 1] as number
    if (following !== 0 && following !== 0xff && !isRestart(following)) return at
  }
  throw new BrokenPicture('the end is missing')
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

/** Any coding; DHT, JPG and DAC share the range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
