import { type Box, boxesBetween, endOfBoxes, primaryProperties } from '#engine/image/heif-boxes.ts'
import { imageLimits } from '#shared/media.ts'
import { BrokenPicture, fourLetters, type PictureFile, partCounter, RefusedPicture, viewOf } from './picture-file.ts'

interface Extent {
  from: number
  to: number
}

/**
 * Byte ranges of EXIF and XMP (ISO/IEC 14496-12 §8.11: items by `iinf`, their positions by `iloc`).
 */
function metadataExtents(
  bytes: Uint8Array,
  described: Box[],
  { boxes, count }: { boxes: (from: number, to: number) => Box[]; count: () => void },
): Extent[] {
  const info = described.find(({ name }) => name === 'iinf')
  const location = described.find(({ name }) => name === 'iloc')
  if (!info || !location) return []
  const view = viewOf(bytes)
  const header = info.from + (view.getUint8(info.from) === 0 ? 6 : 8)
  const hidden = new Set<number>()
  for (const entry of boxes(header, info.to)) {
    if (entry.name !== 'infe') continue
    const version = view.getUint8(entry.from)
    if (version < 2) continue
    const wide = version > 2
    const kind = fourLetters(bytes, entry.from + (wide ? 10 : 8))
    // `mime` items are XMP; pictures have their coding's own name.
    if (kind === 'Exif' || kind === 'mime' || kind === 'uri ') {
      hidden.add(wide ? view.getUint32(entry.from + 4) : view.getUint16(entry.from + 4))
    }
  }
  if (hidden.size === 0) return []
  const inline = described.find(({ name }) => name === 'idat')
  return extents(bytes, location, { wanted: hidden, inline, count })
}

/** Empty extents count too; otherwise a small file could name millions of them. */
function extents(
  bytes: Uint8Array,
  { from, to }: Box,
  { wanted, inline, count }: { wanted: Set<number>; inline: Box | undefined; count: () => void },
): Extent[] {
  const view = viewOf(bytes)
  const version = view.getUint8(from)
  const sizes = view.getUint16(from + 4)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version === 0 ? 0 : sizes & 15
  let at = from + 6
  const read = (size: number): number => {
    if (at + size > to) throw new BrokenPicture('a box is cut off')
    const value =
      size === 0
        ? 0
        : size === 2
          ? view.getUint16(at)
          : size === 4
            ? view.getUint32(at)
            : size === 8
              ? Number(view.getBigUint64(at))
              : Number.NaN
    if (Number.isNaN(value)) throw new BrokenPicture('a field has a strange size')
    at += size
    return value
  }
  const found: Extent[] = []
  for (let items = read(version < 2 ? 2 : 4); items > 0; items -= 1) {
    count()
    const id = read(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : read(2) & 15
    read(2)
    const base = read(baseSize)
    for (let left = read(2); left > 0; left -= 1) {
      count()
      read(indexSize)
      const start = base + read(offsetSize)
      const length = read(lengthSize)
      if (!wanted.has(id) || method > 1) continue
      const origin = method === 1 ? inline?.from : 0
      const limit = method === 1 ? inline?.to : bytes.length
      if (origin === undefined || limit === undefined) continue
      const end = origin + start + (length || limit - origin - start)
      if (end > limit) throw new BrokenPicture('a box is cut off')
      found.push({ from: origin + start, to: end })
    }
  }
  return found
}

/** Brands of AV1 and HEVC pictures (ISO/IEC 23008-12, AV1 Image File Format). */
const avifBrands = new Set(['avif', 'avis'])
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])
/** All other top-level boxes are blanked. */
const neededBoxes = new Set(['ftyp', 'meta', 'mdat', 'idat', 'moov', 'free', 'skip'])

/** Reads the brands; undefined if the file is no picture. */
export function heifCoding(bytes: Uint8Array): 'avif' | 'heic' | undefined {
  if (bytes.length < 16 || fourLetters(bytes, 4) !== 'ftyp') return undefined
  const length = Math.min(viewOf(bytes).getUint32(0), bytes.length, 512)
  const brands = [fourLetters(bytes, 8)]
  for (let at = 16; at + 4 <= length; at += 4) brands.push(fourLetters(bytes, at))
  if (brands.some((brand) => avifBrands.has(brand))) return 'avif'
  if (brands.some((brand) => heicBrands.has(brand))) return 'heic'
  return undefined
}

/**
 * Reads size and rotation of the primary picture. EXIF and XMP are blanked in place, because other
 * data are addressed by offset. The orientation is a property, not EXIF.
 */
export function readHeif(whole: Uint8Array, contentType: 'image/avif' | 'image/heic'): PictureFile {
  const count = partCounter()
  const bytes = whole.subarray(0, endOfBoxes(whole, count))
  const boxes = (from: number, to: number) => boxesBetween(bytes, from, to, count)
  const top = boxes(0, bytes.length)
  const meta = top.find((box) => box.name === 'meta')
  if (!meta) throw new BrokenPicture('there is no picture in it')
  const described = boxes(meta.from + 4, meta.to)
  const view = viewOf(bytes)
  const properties = primaryProperties(bytes, described, count)
  const sizes = properties
    .filter((box) => box.name === 'ispe' && box.to - box.from >= 12)
    .map((box) => ({ width: view.getUint32(box.from + 4), height: view.getUint32(box.from + 8) }))
    .sort((a, b) => b.width * b.height - a.width * a.height)
  const [coded] = sizes
  if (!coded) throw new BrokenPicture('the size is missing')
  if (coded.width * coded.height > imageLimits.pixels) {
    throw new RefusedPicture('upload.too_many_pixels', 'too many pixels')
  }
  const cut = properties.find((box) => box.name === 'clap' && box.to - box.from >= 16)
  const part = (at: number) => Math.round(view.getUint32(at) / view.getUint32(at + 4))
  const size = cut ? { width: part(cut.from), height: part(cut.from + 8) } : coded
  if (!(size.width <= coded.width && size.height <= coded.height)) throw new BrokenPicture('the part is too large')
  const turned = properties.some((box) => box.name === 'irot' && ((bytes[box.from] ?? 0) & 1) === 1)
  let blanked = 0
  // Overlapping ranges are blanked once, however often the file names them.
  const hidden = metadataExtents(bytes, described, { boxes, count }).sort((a, b) => a.from - b.from)
  for (const { from, to } of hidden) {
    if (to > blanked) bytes.fill(0, Math.max(from, blanked), to)
    blanked = Math.max(blanked, to)
  }
  for (const box of top) {
    if (neededBoxes.has(box.name)) continue
    bytes.set(Buffer.from('free', 'latin1'), box.at + 4)
    bytes.fill(0, box.from, box.to)
  }
  return {
    contentType,
    ...size,
    orientation: turned ? 6 : 1,
    animated: top.some((box) => box.name === 'moov'),
    end: bytes.length,
    parts: [bytes],
  }
}
