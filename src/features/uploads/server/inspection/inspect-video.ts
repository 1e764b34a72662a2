import { closeSync, openSync, readSync } from 'node:fs'
import { FilePathSource } from 'mediabunny'
import { readVideoFacts, type VideoFacts } from '#engine/video/video-facts.ts'
import { heifCoding } from './heif.ts'
import { fourLetters, RefusedPicture } from './picture-file.ts'

/** A video that may go to the engine. */
export type InspectedVideo = VideoFacts

/** Boxes with which files of the ISO base media and QuickTime formats begin. */
const firstBoxes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

/** Whether a file begins as videos do; pictures in the same container do not count. */
export function looksLikeVideo(path: string): boolean {
  const head = new Uint8Array(512)
  const file = openSync(path, 'r')
  try {
    const bytes = head.subarray(0, readSync(file, head, 0, head.length, 0))
    const matroska = bytes[0] === 0x1a && bytes[1] === 0x45 && bytes[2] === 0xdf && bytes[3] === 0xa3
    return matroska || (firstBoxes.has(fourLetters(bytes, 4)) && heifCoding(bytes) === undefined)
  } finally {
    closeSync(file)
  }
}

/** Judges a video without decoding it. Throws a RefusedPicture. */
export async function inspectVideo(path: string): Promise<InspectedVideo> {
  const facts = await readVideoFacts(new FilePathSource(path))
  if (typeof facts === 'string') throw new RefusedPicture(`upload.${facts}`, facts)
  return facts
}
