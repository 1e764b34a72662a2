import { BrokenPicture, fourLetters, viewOf } from './picture-file.ts'

/** A box as in ISO/IEC 14496-12 §4.2. */
export interface Box {
  name: string
  /** Offsets of the box and of its content. */
  at: number
  from: number
  to: number
}

interface Extent {
  from: number
  to: number
}

/**
 * Byte ranges of EXIF and XMP (ISO/IEC 14496-12 §8.11: items by `iinf`, their positions by `iloc`).
 */
export function metadataExtents(
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
