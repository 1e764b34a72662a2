import { exifOrientation } from './exif-orientation.ts'
import { BrokenPicture, fourLetters, type PictureFacts, viewOf } from './picture-facts.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const exif = 0xe1

/** Walks a JPEG from marker to marker until its end (ITU-T T.81 annex B); a file without an end is cut off. */
export function jpegFacts(bytes: Uint8Array): PictureFacts {
  const view = viewOf(bytes)
  let size: { width: number; height: number } | undefined
  let orientation = 1
  let scans = 0
  let at = 2
  for (;;) {
    if (bytes[at] !== 0xff) throw new BrokenPicture('a marker is missing')
    while (bytes[at + 1] === 0xff) at += 1
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
    } else if (marker === exif && fourLetters(bytes, at + 2) === 'Exif') {
      orientation = exifOrientation(bytes.subarray(at + 8, next))
    }
    at = marker === startOfScan ? endOfScan(bytes, next) : next
    if (marker === startOfScan) scans += 1
  }
  if (!size || scans === 0) throw new BrokenPicture('there is no picture in it')
  return { contentType: 'image/jpeg', ...size, orientation, animated: false, end: at }
}

/** Where the coded data stop: at the first marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at += 1) {
    at = bytes.indexOf(0xff, at)
    const following = bytes[at + 1]
    if (at < 0 || following === undefined) throw new BrokenPicture('the end is missing')
    if (following !== 0 && following !== 0xff && !isRestart(following)) return at
  }
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}

/** Start of frame, of any coding; DHT, JPG and DAC share its range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
