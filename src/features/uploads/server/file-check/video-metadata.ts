import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { fourLetters, partCounter, viewOf } from './picture-file.ts'

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
      for (let place = at + headerBytes; place < at + length; place += zeros.length) {
        writeSync(file, zeros, 0, Math.min(zeros.length, at + length - place), place)
      }
    }
    at += length
  }
}

const zeros = new Uint8Array(64 * 1024)
