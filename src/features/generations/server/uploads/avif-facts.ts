import { BrokenPicture, fourLetters, type PictureFacts, viewOf } from './picture-facts.ts'

interface BoxPlace {
  name: string
  /** Of the content. */
  from: number
  to: number
}

/** Brands under which a HEIF file holds AV1 pictures, and those that hold HEVC ones (ISO/IEC 23008-12, AV1 Image File Format). */
const avifBrands = new Set(['avif', 'avis'])
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])

/** Which coding the brands of an ISO base media file stand for; undefined when it is no picture. */
export function heifCoding(bytes: Uint8Array): 'avif' | 'heic' | undefined {
  if (bytes.length < 16 || fourLetters(bytes, 4) !== 'ftyp') return undefined
  const length = Math.min(viewOf(bytes).getUint32(0), bytes.length, 512)
  const brands = [fourLetters(bytes, 8)]
  for (let at = 16; at + 4 <= length; at += 4) brands.push(fourLetters(bytes, at))
  if (brands.some((brand) => avifBrands.has(brand))) return 'avif'
  if (brands.some((brand) => heicBrands.has(brand))) return 'heic'
  return undefined
}

/** Reads size and rotation of the largest picture in an AVIF; the boxes must fill the file. */
export function avifFacts(bytes: Uint8Array): PictureFacts {
  const top = boxes(bytes, 0, bytes.length)
  const meta = top.find((box) => box.name === 'meta')
  if (!meta) throw new BrokenPicture('there is no picture in it')
  const properties = inside(bytes, inside(bytes, boxes(bytes, meta.from + 4, meta.to), 'iprp'), 'ipco')
  const view = viewOf(bytes)
  const sizes = properties
    .filter((box) => box.name === 'ispe' && box.to - box.from >= 12)
    .map((box) => ({ width: view.getUint32(box.from + 4), height: view.getUint32(box.from + 8) }))
    .sort((a, b) => b.width * b.height - a.width * a.height)
  const [size] = sizes
  if (!size) throw new BrokenPicture('the size is missing')
  const turned = properties.some((box) => box.name === 'irot' && ((bytes[box.from] ?? 0) & 1) === 1)
  return {
    contentType: 'image/avif',
    ...size,
    orientation: turned ? 6 : 1,
    animated: top.some((box) => box.name === 'moov'),
    end: bytes.length,
  }
}

function inside(bytes: Uint8Array, siblings: BoxPlace[], name: string): BoxPlace[] {
  const box = siblings.find((candidate) => candidate.name === name)
  return box ? boxes(bytes, box.from, box.to) : []
}

function boxes(bytes: Uint8Array, from: number, to: number): BoxPlace[] {
  const view = viewOf(bytes)
  const found: BoxPlace[] = []
  for (let at = from; at < to; ) {
    if (at + 8 > to) throw new BrokenPicture('a box is cut off')
    let length = view.getUint32(at)
    let header = 8
    if (length === 1) {
      if (at + 16 > to) throw new BrokenPicture('a box is cut off')
      length = Number(view.getBigUint64(at + 8))
      header = 16
    } else if (length === 0) length = to - at
    if (length < header || at + length > to) throw new BrokenPicture('a box is cut off')
    found.push({ name: fourLetters(bytes, at + 4), from: at + header, to: at + length })
    at += length
  }
  return found
}
