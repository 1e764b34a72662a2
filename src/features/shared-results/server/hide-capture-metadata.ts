import { crc32 } from 'node:zlib'
import { exifOrientation } from '#engine/image/exif.ts'
import type { Patch } from '#features/generations/server/generations.ts'
import type { FileStore } from '#server/storage/store.ts'

type Store = Pick<FileStore, 'stream'>
interface StoredFile {
  storageKey: string
  contentType: string
  bytes: number
}
/** Returns fewer bytes at the end of the file. */
type Read = (at: number, length: number) => Promise<Buffer>

const windowBytes = 64 * 1024
/** A PNG's metadata block may stand behind the pixels, this close to the end. */
const tailBytes = 16 * 1024
const maxParts = 2000

/**
 * Hides the camera, its settings and the time of a shot from visitors; the owner keeps them. EXIF
 * is blanked in place, except for the orientation. The note that AI edited the picture is not in
 * EXIF and stays.
 */
export async function hideCaptureMetadata(store: Store, file: StoredFile): Promise<Patch[]> {
  const read = windowOn(store, file)
  if (file.contentType === 'image/jpeg') return await inJpeg(read)
  if (file.contentType === 'image/png') return await inPng(read, file.bytes)
  if (file.contentType === 'image/webp') return await inWebp(read)
  return []
}

/** Reads are buffered, because the file's parts lie close to each other. */
function windowOn(store: Store, { storageKey, bytes }: StoredFile): Read {
  let [from, known] = [0, Buffer.alloc(0)]
  return async (at, length) => {
    const end = Math.min(bytes, at + length)
    if (at < from || end > from + known.length) {
      const last = Math.min(bytes, at + Math.max(length, windowBytes)) - 1
      if (last < at) return Buffer.alloc(0)
      const { body } = await store.stream(storageKey, { start: at, end: last })
      from = at
      known = Buffer.from(await new Response(body).arrayBuffer())
    }
    return known.subarray(at - from, end - from)
  }
}

async function inJpeg(read: Read): Promise<Patch[]> {
  const patches: Patch[] = []
  for (let at = 2, count = 0; count < maxParts; count++) {
    const head = await read(at, 10)
    const [mark = 0, marker = 0] = head
    const startOfScan = 0xda
    if (mark !== 0xff || marker === startOfScan || head.length < 4) break
    // Fill bytes (0xff) may precede a marker in any number.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const next = at + 2 + head.readUInt16BE(2)
    if (marker === 0xe1 && head.toString('latin1', 4, 8) === 'Exif') {
      patches.push({ at: at + 10, bytes: blanked(await read(at + 10, next - at - 10)) })
    }
    at = next
  }
  return patches
}

async function inPng(read: Read, bytes: number): Promise<Patch[]> {
  const patches: Patch[] = []
  const blank = async (at: number, length: number) => {
    const chunk = Buffer.concat([Buffer.from('eXIf', 'latin1'), blanked(await read(at + 8, length))])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(chunk))
    patches.push({ at: at + 4, bytes: Buffer.concat([chunk, sum]) })
  }
  for (let at = 8, count = 0; count < maxParts; count++) {
    const head = await read(at, 8)
    const name = head.toString('latin1', 4, 8)
    if (head.length < 8 || name === 'IDAT') break
    const length = head.readUInt32BE(0)
    if (name === 'eXIf') await blank(at, length)
    at += length + 12
  }
  const start = Math.max(8, bytes - tailBytes)
  const tail = await read(start, bytes - start)
  const found = tail.lastIndexOf('eXIf', undefined, 'latin1')
  if (found >= 4 && patches.every(({ at }) => at !== start + found)) {
    await blank(start + found - 4, Math.min(tail.readUInt32BE(found - 4), tail.length - found - 8))
  }
  return patches
}

async function inWebp(read: Read): Promise<Patch[]> {
  const patches: Patch[] = []
  for (let at = 12, count = 0; count < maxParts; count++) {
    const head = await read(at, 14)
    if (head.length < 8) break
    const length = head.readUInt32LE(4)
    if (head.toString('latin1', 0, 4) === 'EXIF') {
      // Some writers put JPEG's prefix before the block.
      const skipped = head.toString('latin1', 8, 12) === 'Exif' ? 6 : 0
      const block = at + 8 + skipped
      patches.push({ at: block, bytes: blanked(await read(block, length - skipped)) })
    }
    at += 8 + length + (length % 2)
  }
  return patches
}

/** Returns a block of the same length with only the orientation (TIFF 6.0 §2). */
function blanked(block: Buffer): Uint8Array {
  const blank = Buffer.alloc(block.length)
  const orientation = exifOrientation(block)
  const header = [0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]
  const entry = [1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0]
  const written = orientation === 1 ? header : [...header, ...entry]
  if (written.length + 6 <= block.length) blank.set(written)
  return blank
}
