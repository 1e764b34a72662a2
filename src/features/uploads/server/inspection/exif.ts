import { viewOf } from './picture-file.ts'

const orientationTag = 0x0112
const shortType = 3

/** The orientation in an EXIF block (a TIFF structure: EXIF 2.32 §4.6.4), 1 to 8; 1 when it says nothing usable. */
export function exifOrientation(block: Uint8Array): number {
  if (block.length < 8) return 1
  const view = viewOf(block)
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return 1
  const little = order === 0x4949
  const directory = view.getUint32(4, little)
  if (directory + 2 > block.length) return 1
  const entries = view.getUint16(directory, little)
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + 12 * index
    if (entry + 12 > block.length) return 1
    if (view.getUint16(entry, little) !== orientationTag || view.getUint16(entry + 2, little) !== shortType) continue
    const orientation = view.getUint16(entry + 8, little)
    return orientation >= 1 && orientation <= 8 ? orientation : 1
  }
  return 1
}

/** An EXIF block that says how the picture stands and nothing else. */
export function orientationBlock(orientation: number): Uint8Array {
  const block = new Uint8Array(26)
  const view = viewOf(block)
  view.setUint32(0, 0x49492a00)
  view.setUint32(4, 8, true)
  view.setUint16(8, 1, true)
  view.setUint16(10, orientationTag, true)
  view.setUint16(12, shortType, true)
  view.setUint32(14, 1, true)
  view.setUint16(18, orientation, true)
  return block
}
