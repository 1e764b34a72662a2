import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isMatroska } from '#engine/video/container-limits.ts'
import { readVideoInfo, type VideoInfo } from '#engine/video/video-info.ts'
import { heifCoding } from './heif.ts'
import { fourLetters, partCounter, RefusedPicture, viewOf } from './picture-file.ts'

export type CheckedVideo = VideoInfo

/** First boxes of ISO base media and QuickTime files. */
const firstBoxes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

const topBoxes = new Set([...firstBoxes, 'moof', 'mfra', 'sidx', 'styp', 'uuid', 'meta', 'udta'])

/** Pictures in the same container do not count. */
export function looksLikeVideo(path: string): boolean {
  const head = new Uint8Array(512)
  const file = openSync(path, 'r')
  try {
    const bytes = head.subarray(0, readSync(file, head, 0, head.length, 0))
    return isMatroska(bytes) || (firstBoxes.has(fourLetters(bytes, 4)) && heifCoding(bytes) === undefined)
  } finally {
    closeSync(file)
  }
}

/** Checks without decoding. Throws a RefusedPicture. */
export async function checkVideo(path: string): Promise<CheckedVideo> {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (isCutOff(file, size)) throw new RefusedPicture('upload.video_unreadable', 'cut off')
    const info = await readVideoInfo({ size, read: (start, end) => bytesBetween(file, start, end) })
    if (typeof info === 'string') throw new RefusedPicture(`upload.${info}`, info)
    return info
  } finally {
    closeSync(file)
  }
}

function bytesBetween(file: number, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array(end - start)
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start))
}

/**
 * True if the last box of an MP4 or QuickTime file goes on beyond the end. The missing part may be
 * frames, sound, or only their index.
 */
function isCutOff(file: number, end: number): boolean {
  const header = new Uint8Array(16)
  const count = partCounter()
  for (let at = 0; at + 8 <= end; ) {
    count()
    readSync(file, header, 0, header.length, at)
    const short = viewOf(header).getUint32(0)
    const length = short === 1 ? Number(viewOf(header).getBigUint64(8)) : short
    if (!topBoxes.has(fourLetters(header, 4)) || length < 8) return false
    at += length
    if (at > end) return true
  }
  return false
}
