import { dataEnd, JpegScans } from '#engine/image/jpeg-scan.ts'
import { BrokenPicture, fourLetters, keeper, type PictureFile, partCounter, viewOf } from './picture-file.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const comment = 0xfe
const jfifLength = 16
const [app0, app1, app2, app14, app15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef]
/** A progressive picture has about ten; thousands are meant to keep a decoder busy. */
const maxScans = 200

/** A range of the file, or an EXIF block, in the order of the file. */
type Entry = { from: number; to: number } | { exif: Uint8Array }

/**
 * Walks the markers (ITU-T T.81 annex B). JFIF, Adobe and the colour profile stay; EXIF is reduced
 * by `sanitizeExif`. An end marker is added if only that is missing; other files without one are
 * cut off.
 */
export function readJpeg(bytes: Uint8Array): PictureFile {
  const scans = new JpegScans()
  const entries: Entry[] = [{ from: 0, to: 2 }]
  const { size, end, problem } = readSegments(bytes, scans, entries)
  const last = problem && scans.last(bytes)
  if (problem && !last) throw problem
  if (!size) throw new BrokenPicture('there is no picture in it')
  const kept = keeper(bytes)
  for (const entry of entries) {
    if ('exif' in entry) kept.describe(entry.exif, exifSegment)
    else if (!last || entry.to < last.from) kept.keep(entry.from, entry.to)
    else if (entry.from < last.from) kept.keep(entry.from, last.to)
  }
  kept.close()
  if (last) kept.parts.push(new Uint8Array([0xff, endOfImage]))
  const orientation = kept.orientation() ?? 1
  return {
    contentType: 'image/jpeg',
    ...size,
    orientation,
    animated: false,
    end: last ? last.to : end,
    parts: kept.parts,
  }
}

interface Walked {
  size: { width: number; height: number } | undefined
  /** Offset behind the end marker. */
  end: number
  /** The walk ended early. */
  problem?: BrokenPicture
}

function readSegments(bytes: Uint8Array, scans: JpegScans, entries: Entry[]): Walked {
  const view = viewOf(bytes)
  const count = partCounter()
  let size: Walked['size']
  let scanCount = 0
  let at = 2
  const broken = (why: string): Walked => ({ size, end: at, problem: new BrokenPicture(why) })
  for (;;) {
    count()
    if (bytes[at] !== 0xff) return broken('a marker is missing')
    while (bytes[at + 1] === 0xff) at += 1
    const from = at
    const marker = bytes[at + 1]
    if (marker === undefined) return broken('the end is missing')
    at += 2
    if (marker === endOfImage) {
      entries.push({ from, to: at })
      break
    }
    if (marker === startOfImage || marker === 0x01 || isRestart(marker)) continue
    if (at + 2 > bytes.length) return broken('the end is missing')
    const length = view.getUint16(at)
    const next = at + length
    if (length < 2 || next > bytes.length) return broken('a segment is cut off')
    if (isFrame(marker)) {
      if (size || length < 8) return broken('the frame header is wrong')
      size = { width: view.getUint16(at + 5), height: view.getUint16(at + 3) }
    } else if (marker === app1 && fourLetters(bytes, at + 2) === 'Exif') {
      entries.push({ exif: bytes.subarray(at + 8, next) })
    }
    scans.note(marker, bytes, at + 2, next)
    const isScan = marker === startOfScan
    const to = isScan ? dataEnd(bytes, next) : next
    if (!isPrivate(bytes, marker, at + 2, length)) entries.push({ from, to })
    at = to
    if (isScan) scanCount += 1
    if (scanCount > maxScans) throw new BrokenPicture('too many scans')
    if (isScan && to === bytes.length) return broken('the end is missing')
  }
  if (scanCount === 0) throw new BrokenPicture('there is no picture in it')
  return { size, end: at }
}

function isPrivate(bytes: Uint8Array, marker: number, content: number, length: number): boolean {
  if (marker === comment) return true
  if (marker < app0 || marker > app15) return false
  // Longer ones have a thumbnail, or anything.
  if (marker === app0) return fourLetters(bytes, content) !== 'JFIF' || length > jfifLength
  if (marker === app2) return Buffer.from(bytes.subarray(content, content + 11)).toString('latin1') !== 'ICC_PROFILE'
  return marker !== app14 || fourLetters(bytes, content) !== 'Adob'
}

function exifSegment(block: Uint8Array): Uint8Array {
  const length = block.length + 8
  return Buffer.concat([Buffer.from([0xff, app1, length >> 8, length & 255]), Buffer.from('Exif\0\0', 'latin1'), block])
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

/** Any coding; DHT, JPG and DAC share the range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
