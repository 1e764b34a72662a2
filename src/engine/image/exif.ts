/** In bytes: byte, ASCII, short, long, rational, –, undefined, –, signed long, signed rational. */
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8] as const
const [ascii, short, long, rational] = [2, 3, 4, 5] as const
const exifPointer = 0x8769
const orientationTag = 0x0112
const maxText = 64

/** Only camera and settings; never location, names or serial numbers. */
const keptTags = {
  IFD0: { Make: 0x010f, Model: 0x0110, DateTime: 0x0132 },
  IFD2: {
    ExposureTime: 0x829a,
    FNumber: 0x829d,
    ISOSpeedRatings: 0x8827,
    DateTimeOriginal: 0x9003,
    Flash: 0x9209,
    FocalLength: 0x920a,
    WhiteBalance: 0xa403,
    FocalLengthIn35mmFilm: 0xa405,
    LensModel: 0xa434,
  },
} as const

/** Texts such as `1/200` by their names in EXIF 2.32. */
export interface CameraSettings {
  IFD0: Record<string, string>
  IFD2: Record<string, string>
}

interface Entry {
  tag: number
  type: number
  value: Uint8Array
  little: boolean
}

/** Orientation in an EXIF block (a TIFF structure: EXIF 2.32 §4.6.4), 1 to 8; 1 if not valid. */
export function exifOrientation(block: Uint8Array): number {
  const entry = directoriesOf(block).IFD0.find(({ tag, type }) => tag === orientationTag && type === short)
  const orientation = entry ? numberAt(entry, 0) : 1
  return orientation >= 1 && orientation <= 8 ? orientation : 1
}

export function readExifSettings(block: Uint8Array): CameraSettings | undefined {
  const directories = directoriesOf(block)
  const settingsIn = (directory: keyof CameraSettings) =>
    Object.fromEntries(
      Object.entries(keptTags[directory]).flatMap(([name, tag]) => {
        const entry = directories[directory].find((one) => one.tag === tag)
        const text = entry && textOf(entry)
        return text ? [[name, text]] : []
      }),
    )
  const found = { IFD0: settingsIn('IFD0'), IFD2: settingsIn('IFD2') }
  return Object.keys(found.IFD0).length + Object.keys(found.IFD2).length > 0 ? found : undefined
}

/** Reduces an EXIF block to orientation and camera settings; undefined if nothing remains. */
export function sanitizeExif(block: Uint8Array): Uint8Array | undefined {
  const directories = directoriesOf(block)
  const orientation = exifOrientation(block)
  const kept = (directory: keyof CameraSettings) => {
    const tags: number[] = Object.values(keptTags[directory])
    return directories[directory].filter((entry) => tags.includes(entry.tag) && textOf(entry))
  }
  const [camera, settings] = [kept('IFD0').map(toLittleEndian), kept('IFD2').map(toLittleEndian)]
  if (orientation !== 1) camera.push(shortEntry(orientationTag, orientation))
  if (camera.length + settings.length === 0) return undefined
  return writeBlock(camera, settings)
}

function directoriesOf(block: Uint8Array): Record<keyof CameraSettings, Entry[]> {
  const nothing = { IFD0: [], IFD2: [] }
  if (block.length < 8) return nothing
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return nothing
  const little = order === 0x4949
  const first = entriesAt(block, view, view.getUint32(4, little), little)
  const pointer = first.find(({ tag, type }) => tag === exifPointer && type === long)
  return { IFD0: first, IFD2: pointer ? entriesAt(block, view, numberAt(pointer, 0), little) : [] }
}

function entriesAt(block: Uint8Array, view: DataView, directory: number, little: boolean): Entry[] {
  if (directory + 2 > block.length) return []
  const entries: Entry[] = []
  const count = view.getUint16(directory, little)
  for (let index = 0; index < count; index++) {
    const at = directory + 2 + 12 * index
    if (at + 12 > block.length) break
    const type = view.getUint16(at + 2, little)
    const length = view.getUint32(at + 4, little) * (typeSizes[type] ?? 0)
    const from = length <= 4 ? at + 8 : view.getUint32(at + 8, little)
    if (length === 0 || from + length > block.length) continue
    entries.push({ tag: view.getUint16(at, little), type, value: block.subarray(from, from + length), little })
  }
  return entries
}

function numberAt({ type, value, little }: Entry, at: number): number {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength)
  return type === short ? view.getUint16(at, little) : view.getUint32(at, little)
}

/** Undefined for values other than a short printable text or one number. */
function textOf(entry: Entry): string | undefined {
  const { type, value } = entry
  if (type === ascii) {
    const text = String.fromCharCode(...value.subarray(0, maxText))
      .replace(/\0.*$/s, '')
      .trim()
    return /^[\x20-\x7e]+$/.test(text) ? text : undefined
  }
  if (type === short || type === long) return String(numberAt(entry, 0))
  return type === rational ? `${numberAt(entry, 0)}/${numberAt(entry, 4)}` : undefined
}

function toLittleEndian(entry: Entry): Entry {
  const { tag, type } = entry
  if (type === ascii) return { tag, type, value: new TextEncoder().encode(`${textOf(entry)}\0`), little: true }
  if (type === short) return shortEntry(tag, numberAt(entry, 0))
  const value = new Uint8Array(typeSizes[type] ?? 0)
  const view = new DataView(value.buffer)
  for (let at = 0; at < value.length; at += 4) view.setUint32(at, numberAt(entry, at), true)
  return { tag, type, value, little: true }
}

function shortEntry(tag: number, number: number): Entry {
  return { tag, type: short, value: new Uint8Array([number & 255, number >> 8]), little: true }
}

function writeBlock(camera: Entry[], settings: Entry[]): Uint8Array {
  const sizeOf = (entries: Entry[]) =>
    6 + 12 * entries.length + entries.reduce((sum, { value }) => sum + (value.length > 4 ? even(value.length) : 0), 0)
  const pointer: Entry[] =
    settings.length > 0 ? [{ tag: exifPointer, type: long, value: new Uint8Array(4), little: true }] : []
  const first = [...camera, ...pointer]
  const second = 8 + sizeOf(first)
  if (pointer[0]) new DataView(pointer[0].value.buffer).setUint32(0, second, true)
  const block = new Uint8Array(second + (settings.length > 0 ? sizeOf(settings) : 0))
  block.set([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])
  writeDirectory(block, 8, first)
  if (settings.length > 0) writeDirectory(block, second, settings)
  return block
}

const even = (length: number) => length + (length % 2)

/** Sorts entries by tag, as EXIF requires. */
function writeDirectory(block: Uint8Array, start: number, entries: Entry[]): void {
  const view = new DataView(block.buffer)
  view.setUint16(start, entries.length, true)
  let free = start + 6 + 12 * entries.length
  for (const [index, { tag, type, value }] of entries.toSorted((a, b) => a.tag - b.tag).entries()) {
    const at = start + 2 + 12 * index
    view.setUint16(at, tag, true)
    view.setUint16(at + 2, type, true)
    view.setUint32(at + 4, value.length / (typeSizes[type] ?? 1), true)
    if (value.length <= 4) block.set(value, at + 8)
    else {
      view.setUint32(at + 8, free, true)
      block.set(value, free)
      free += even(value.length)
    }
  }
}
