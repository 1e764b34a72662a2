import { createHash } from 'node:crypto'
import { closeSync, constants, copyFileSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { imageLimits } from '#shared/media.ts'
import { checkPicture } from './check-picture.ts'
import { checkVideo, looksLikeVideo } from './check-video.ts'
import { fourLetters, partCounter, RefusedPicture, viewOf } from './picture-file.ts'
import type { CheckedFile, FileCheckTask, ThreadReply } from './task.ts'

/** Boxes with data about the owner: location, device, titles, XMP. */
const metadataBoxes = new Set(['udta', 'meta', 'uuid'])
const containerBoxes = new Set(['moov', 'trak'])
const maxDepth = 4

/**
 * Blanks data about the owner in place, because other data are addressed by offset. Matroska stays
 * unchanged; its writers store no locations.
 */
export function blankVideoMetadata(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const count = partCounter()
    blankBetween(file, { from: 0, to: fstatSync(file).size, depth: 0 }, count)
  } finally {
    closeSync(file)
  }
}

interface BoxRange {
  from: number
  to: number
  depth: number
}

function blankBetween(file: number, { from, to, depth }: BoxRange, count: () => void): void {
  const header = new Uint8Array(16)
  for (let at = from; at + 8 <= to; ) {
    count()
    readSync(file, header, 0, header.length, at)
    const view = viewOf(header)
    const short = view.getUint32(0)
    const headerBytes = short === 1 ? 16 : 8
    const length = short === 0 ? to - at : short === 1 ? Number(view.getBigUint64(8)) : short
    if (length < headerBytes || at + length > to) return
    const name = fourLetters(header, 4)
    if (containerBoxes.has(name) && depth < maxDepth)
      blankBetween(file, { from: at + headerBytes, to: at + length, depth: depth + 1 }, count)
    else if (metadataBoxes.has(name)) {
      writeSync(file, new TextEncoder().encode('free'), 0, 4, at + 4)
      for (let offset = at + headerBytes; offset < at + length; offset += zeros.length) {
        writeSync(file, zeros, 0, Math.min(zeros.length, at + length - offset), offset)
      }
    }
    at += length
  }
}

const zeros = new Uint8Array(64 * 1024)

// Files are checked one at a time in the same memory, which leaves nothing for the garbage
// collector.
const scratch = Buffer.alloc(imageLimits.bytes)

export const ready = () => {}

export async function perform(task: FileCheckTask): Promise<ThreadReply> {
  try {
    return { kind: 'done', result: looksLikeVideo(task.source) ? await video(task) : picture(task) }
  } catch (error) {
    if (error instanceof RefusedPicture) return { kind: 'refused', code: error.code, reason: error.message }
    // The owner has deleted the file meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { kind: 'refused', code: 'file.not_found', reason: 'the file is gone' }
    return { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function video({ source, draft }: FileCheckTask): Promise<CheckedFile> {
  const info = await checkVideo(source)
  const sha256 = hashOf(source)
  copyFileSync(source, draft, constants.COPYFILE_EXCL)
  blankVideoMetadata(draft)
  return { ...info, sha256, bytes: statSync(draft).size }
}

/** Files may have any length; they are read through the scratch memory. */
function hashOf(path: string): string {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    for (let count = -1; count !== 0; ) {
      count = readSync(file, scratch, 0, scratch.length, null)
      hash.update(scratch.subarray(0, count))
    }
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

function picture({ source, draft }: FileCheckTask): CheckedFile {
  const bytes = read(source)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { parts, ...info } = checkPicture(bytes)
  const file = openSync(draft, 'wx', 0o600)
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(file, part, at)
  } finally {
    closeSync(file)
  }
  return { ...info, sha256, bytes: parts.reduce((sum, part) => sum + part.length, 0) }
}

function read(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > scratch.length) throw new RefusedPicture('upload.too_large', 'too large')
    let at = 0
    while (at < size) {
      const count = readSync(file, scratch, at, size - at, at)
      if (count === 0) break
      at += count
    }
    return scratch.subarray(0, at)
  } finally {
    closeSync(file)
  }
}
