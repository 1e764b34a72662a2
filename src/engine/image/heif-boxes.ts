/** A box as in ISO/IEC 14496-12 §4.2. */
export interface Box {
  name: string
  /** Offsets of the box and of its content. */
  at: number
  from: number
  to: number
}

export const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const nameAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** `count` is called for each box. Throws a RangeError for one that does not fit. */
export function boxesBetween(bytes: Uint8Array, from: number, to: number, count?: () => void): Box[] {
  const view = viewOf(bytes)
  const found: Box[] = []
  for (let at = from; at < to; ) {
    count?.()
    const box = boxAt(view, at, to)
    if (!box) throw new RangeError('a box is cut off')
    found.push({ name: nameAt(bytes, at + 4), at, ...box })
    at = box.to
  }
  return found
}

function boxAt(view: DataView, at: number, limit: number): { from: number; to: number } | undefined {
  if (at + 8 > limit) return undefined
  const short = view.getUint32(at)
  const header = short === 1 ? 16 : 8
  if (at + header > limit) return undefined
  const length = short === 0 ? limit - at : short === 1 ? Number(view.getBigUint64(at + 8)) : short
  return length < header || at + length > limit ? undefined : { from: at + header, to: at + length }
}

const topBoxes = new Set('ftyp meta mdat idat moov moof free skip wide uuid mpvd sefd styp sidx mfra'.split(' '))

/** End of the boxes: phones append data that are none. A known box that is cut off counts whole. */
export function endOfBoxes(bytes: Uint8Array, count?: () => void): number {
  const view = viewOf(bytes)
  let hasPicture = false
  for (let at = 0; at < bytes.length; ) {
    count?.()
    const name = nameAt(bytes, at + 4)
    if (hasPicture && !topBoxes.has(name)) return at
    const box = boxAt(view, at, bytes.length)
    if (!box) break
    hasPicture ||= name === 'meta'
    at = box.to
  }
  return bytes.length
}

/** The properties of the primary picture; all of the file if it names none. */
export function primaryProperties(bytes: Uint8Array, described: readonly Box[], count?: () => void): Box[] {
  const view = viewOf(bytes)
  const of = (siblings: readonly Box[], name: string) => siblings.find((box) => box.name === name)
  const [primary, container] = [of(described, 'pitm'), of(described, 'iprp')]
  if (!container) return []
  const inner = boxesBetween(bytes, container.from, container.to, count)
  const list = of(inner, 'ipco')
  const properties = list ? boxesBetween(bytes, list.from, list.to, count) : []
  const association = of(inner, 'ipma')
  if (!primary || !association) return properties
  const id = view.getUint8(primary.from) === 0 ? view.getUint16(primary.from + 4) : view.getUint32(primary.from + 4)
  const isLongId = view.getUint8(association.from) > 0
  const isLongIndex = (view.getUint8(association.from + 3) & 1) === 1
  let at = association.from + 8
  for (let left = view.getUint32(association.from + 4); left > 0; left -= 1) {
    count?.()
    const item = isLongId ? view.getUint32(at) : view.getUint16(at)
    at += isLongId ? 4 : 2
    const indices = Array.from({ length: view.getUint8(at) }, (_, index) =>
      isLongIndex ? view.getUint16(at + 1 + 2 * index) & 0x7fff : view.getUint8(at + 1 + index) & 0x7f,
    )
    if (item === id) return indices.flatMap((index) => properties[index - 1] ?? [])
    at += 1 + indices.length * (isLongIndex ? 2 : 1)
  }
  return properties
}

/** Properties of the primary picture of a whole file. */
export function pictureProperties(bytes: Uint8Array): Box[] {
  const meta = boxesBetween(bytes, 0, endOfBoxes(bytes)).find(({ name }) => name === 'meta')
  return meta ? primaryProperties(bytes, boxesBetween(bytes, meta.from + 4, meta.to)) : []
}
