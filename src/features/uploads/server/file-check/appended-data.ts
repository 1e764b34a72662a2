import { dataEnd } from '#engine/image/jpeg-scan.ts'
import { fourLetters, viewOf } from './picture-file.ts'

const endOfZip = Buffer.from('PK\x05\x06', 'latin1')
const maxZipTail = 65_557
/** Byte of ISO 8859-1 text. */
const textByte = '[\\t\\n\\r\\x20-\\x7e]'
/** Readers of such files look at the first bytes only. */
const files = new RegExp(`^\\s*(<[a-z!?]${textByte}{6}|%PDF-|PK\\x03\\x04|Rar!|\\x7fELF|#! ?/${textByte}{2})`, 'i')
const program = /^MZ/
/** A whole tag: the same few letters occur in any film by chance. */
const code = new RegExp(`<(script|html|svg|!doctype)(\\s${textByte}{0,400}?)?/?>|<\\?php\\s${textByte}{4}`, 'i')

/**
 * Phones append data (motion photos, gain maps, depth maps), which are dropped silently. A page,
 * script, document or archive is meant for another reader. `rest`: the bytes behind the picture.
 */
export function hasHiddenContent(rest: Uint8Array): boolean {
  if (rest.length < 4) return false
  const tail = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength)
  if (files.test(tail.toString('latin1', 0, 1024))) return true
  if (program.test(tail.toString('latin1', 0, 2)) && isProgram(tail)) return true
  let at = 0
  for (const { from, to } of compressedRanges(tail)) {
    if (code.test(tail.toString('latin1', at, from))) return true
    at = Math.max(at, to)
  }
  return code.test(tail.toString('latin1', at)) || endsAsArchive(tail)
}

/** The header of a Windows program points to a second one. */
function isProgram(tail: Buffer): boolean {
  const at = tail.length >= 64 ? tail.readUInt32LE(60) : tail.length
  return fourLetters(tail, at) === 'PE\0\0'
}

/** Archives are read from their end, which tells the length of a comment. */
function endsAsArchive(tail: Buffer): boolean {
  const at = tail.lastIndexOf(endOfZip)
  if (at < 0 || at < tail.length - maxZipTail) return false
  return at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length
}

/** Data of films and pictures, in ascending order: no reader executes them. */
function compressedRanges(tail: Buffer): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  const film = tail.indexOf('ftyp', 4, 'latin1')
  const start = film < 0 ? tail.length : film - 4
  for (let at = tail.indexOf('\xff\xd8\xff', 0, 'latin1'); at >= 0 && at < start; ) {
    const scan = tail.indexOf('\xff\xda', at, 'latin1')
    if (scan < 0 || scan > start) break
    const to = dataEnd(tail, scan + 2)
    found.push({ from: scan, to })
    at = tail.indexOf('\xff\xd8\xff', to, 'latin1')
  }
  const view = viewOf(tail)
  for (let at = start, boxes = 0; at + 16 <= tail.length && boxes < 1000; boxes++) {
    const short = view.getUint32(at)
    const length = short === 0 ? tail.length - at : short === 1 ? Number(view.getBigUint64(at + 8)) : short
    if (length < 8) break
    const to = Math.min(at + length, tail.length)
    if (fourLetters(tail, at + 4) === 'mdat') found.push({ from: at + 8, to })
    at = to
  }
  return found
}
