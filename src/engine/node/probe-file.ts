import { inflateSync } from 'node:zlib'
import { readExr } from 'hdrify'
import { type LightProbe, repairProbe } from '#engine/image/light-probe.ts'
import type { Size } from '#engine/image/picture.ts'
import { BrokenProbe, isRadiance, readRadiance, type TakeRow } from '#engine/image/radiance.ts'
import { probeLimits } from '#shared/media.ts'
import { EngineError } from '../error.ts'

/**
 * Width to which larger probes are reduced: twice that of the built-in ones, where the lens blurs a
 * portrait's background more than a pixel.
 */
const keptWidth = 1024
/** Deviation of the shape from two to one. */
const tolerance = 0.01

export const isProbe = (bytes: Uint8Array): boolean => isExr(bytes) || isRadiance(bytes)

/**
 * Reads an equirectangular probe, OpenEXR or Radiance, reduced to {@link keptWidth}. Throws
 * `upload.unreadable`, `upload.probe_size`, and `upload.not_panorama` for another shape.
 */
export function readProbe(bytes: Uint8Array): LightProbe {
  const reduced = createReduction()
  try {
    if (isExr(bytes)) readExrRows(bytes, reduced.begin)
    else readRadiance(bytes, reduced.begin)
    return reduced.finish()
  } catch (error) {
    if (error instanceof BrokenProbe) throw new EngineError('upload.unreadable', { cause: error })
    throw error
  }
}

/** Averages rows that come in any order. */
function createReduction() {
  let from: Size = { width: 0, height: 0 }
  let to = from
  let data = new Float32Array()
  let counts = new Uint32Array()
  let columns = new Uint32Array()
  const take: TakeRow = (y, row) => {
    const line = Math.floor((y * to.height) / from.height)
    for (let x = 0; x < from.width; x++) {
      const at = line * to.width + (columns[x] as number)
      counts[at] = (counts[at] as number) + 1
      for (let c = 0; c < 3; c++) data[3 * at + c] = (data[3 * at + c] as number) + (row[3 * x + c] as number)
    }
  }
  return {
    begin(size: Size): TakeRow {
      const { width, height } = size
      if (width < probeLimits.minWidth || width > probeLimits.maxWidth) throw new EngineError('upload.probe_size')
      if (Math.abs(width / height / 2 - 1) > tolerance) throw new EngineError('upload.not_panorama')
      from = size
      to = width > keptWidth ? { width: keptWidth, height: keptWidth / 2 } : size
      data = new Float32Array(3 * to.width * to.height)
      counts = new Uint32Array(to.width * to.height)
      columns = Uint32Array.from({ length: width }, (_, x) => Math.floor((x * to.width) / width))
      return take
    },
    finish(): LightProbe {
      if (counts.includes(0)) throw new BrokenProbe('rows are missing')
      let most = 0
      for (let i = 0; i < data.length; i++) {
        data[i] = (data[i] as number) / (counts[Math.floor(i / 3)] as number)
        most = Math.max(most, data[i] as number)
      }
      if (!(most > 0)) throw new BrokenProbe('there is no light')
      return repairProbe({ ...to, data })
    },
  }
}

const magic = 0x01312f76
/** Flags of tiles, deep data and several parts. */
const unsupported = 0x200 | 0x800 | 0x1000
const maxChannels = 16
const maxName = 31
const sampleBytes = [4, 2, 4] as const
/** Rows of a block by the number of the compression (OpenEXR, `ImfCompression.h`). */
const blockRows = [1, 1, 1, 16, 32, 16, 32, 32, 32, 256] as const
const compressions = { none: 0, rle: 1, zips: 2, zip: 3, piz: 4, pxr24: 5, b44: 6, b44a: 7, dwaa: 8, dwab: 9 } as const

function isExr(bytes: Uint8Array): boolean {
  return bytes.length > 8 && viewOf(bytes).getUint32(0, true) === magic
}

interface Header extends Size {
  top: number
  channels: Uint8Array
  /** Bytes of a row of all channels. */
  rowBytes: number
  compression: number
  /** Position of the table of blocks. */
  end: number
}

/**
 * Reads a scanline OpenEXR file block by block, so that memory depends on its width only. `begin`
 * receives the size and may refuse it. Each block is decoded as a file of its own whose header is
 * written here: no attribute, offset or length of a hostile file reaches the decoder, and streams
 * that inflate beyond the block's size are refused first. Throws {@link BrokenProbe}.
 */
function readExrRows(bytes: Uint8Array, begin: (size: Size) => TakeRow): void {
  const header = readHeader(bytes)
  const { width, height, top, compression, rowBytes, end } = header
  const take = begin({ width, height })
  const rows = blockRows[compression] as number
  const view = viewOf(bytes)
  const count = Math.ceil(height / rows)
  if (end + 8 * count > bytes.length) throw new BrokenProbe('the table of blocks is cut off')
  const row = new Float32Array(3 * width)
  for (let block = 0; block < count; block++) {
    const at = Number(view.getBigUint64(end + 8 * block, true))
    if (at < end || at + 8 > bytes.length) throw new BrokenProbe('a block is outside the file')
    const first = view.getInt32(at, true) - top
    const length = view.getUint32(at + 4, true)
    if (first < 0 || first >= height || first % rows !== 0 || length === 0 || at + 8 + length > bytes.length) {
      throw new BrokenProbe('a block is damaged')
    }
    const lines = Math.min(rows, height - first)
    const data = bytes.subarray(at + 8, at + 8 + length)
    requireBounded(data, compression, lines * rowBytes)
    const decoded = decodeBlock(header, lines, data)
    for (let line = 0; line < lines; line++) {
      for (let x = 0, from = 4 * line * width; x < width; x++, from += 4) {
        for (let c = 0; c < 3; c++) row[3 * x + c] = decoded[from + c] as number
      }
      take(first + line, row)
    }
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function readHeader(bytes: Uint8Array): Header {
  const view = viewOf(bytes)
  if (!isExr(bytes) || (view.getUint32(4, true) & unsupported) !== 0) throw new BrokenProbe('no rows of pixels')
  const parts = new Map<string, Uint8Array>()
  let at = 8
  const text = () => {
    const end = bytes.indexOf(0, at)
    if (end < 0 || end - at > 255) throw new BrokenProbe('a name has no end')
    const found = new TextDecoder('latin1').decode(bytes.subarray(at, end))
    at = end + 1
    return found
  }
  for (let name = text(); name !== ''; name = text()) {
    text()
    if (at + 4 > bytes.length) throw new BrokenProbe('the header is cut off')
    const size = view.getUint32(at, true)
    at += 4
    if (size > bytes.length - at) throw new BrokenProbe('an attribute is cut off')
    parts.set(name, bytes.subarray(at, at + size))
    at += size
  }
  const [window, channels] = [parts.get('dataWindow'), parts.get('channels')]
  const compression = parts.get('compression')?.[0] ?? -1
  if (window?.length !== 16 || !channels || blockRows[compression] === undefined) {
    throw new BrokenProbe('the header is incomplete')
  }
  const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => viewOf(window).getInt32(offset, true)) as [
    number,
    number,
    number,
    number,
  ]
  const [width, height] = [right - left + 1, bottom - top + 1]
  if (width < 1 || height < 1) throw new BrokenProbe('the size is missing')
  const bytesPerPixel = readChannels(channels)
  return { width, height, top, channels, rowBytes: width * bytesPerPixel, compression, end: at }
}

/** Returns the bytes of a pixel of all channels. */
function readChannels(list: Uint8Array): number {
  const view = viewOf(list)
  let pixel = 0
  let count = 0
  for (let at = 0; list[at] !== 0; count++) {
    const end = list.indexOf(0, at)
    if (end < 0 || end - at > maxName || end + 17 > list.length || count >= maxChannels) {
      throw new BrokenProbe('the channels are damaged')
    }
    const type = view.getInt32(end + 1, true)
    const size = sampleBytes[type]
    if (!size || view.getInt32(end + 9, true) !== 1 || view.getInt32(end + 13, true) !== 1) {
      throw new BrokenProbe('a channel cannot be read')
    }
    pixel += size
    at = end + 17
  }
  if (pixel === 0) throw new BrokenProbe('there are no channels')
  return pixel
}

/** Refuses streams that become larger than a block's pixels: the decoder itself sets no limit. */
function requireBounded(data: Uint8Array, compression: number, size: number): void {
  const { zips, zip, pxr24, dwaa, dwab } = compressions
  if (compression === dwaa || compression === dwab) requireBoundedDwa(data, size)
  if ((compression === zips || compression === zip || compression === pxr24) && data.length !== size) {
    inflate(data, size)
  }
}

function inflate(data: Uint8Array, most: number): void {
  try {
    inflateSync(data, { maxOutputLength: most })
  } catch (error) {
    throw new BrokenProbe('a block is damaged', { cause: error })
  }
}

/** Sizes at the start of a DWA block: eleven numbers of 64 bits (OpenEXR, `internal_dwa`). */
function requireBoundedDwa(data: Uint8Array, size: number): void {
  const sizes = 11
  if (data.length < 8 * sizes + 2) throw new BrokenProbe('a block is damaged')
  const view = viewOf(data)
  const numbers = Array.from({ length: sizes }, (_, i) => Number(view.getBigUint64(8 * i, true)))
  const [version = 0, , unknown = 0, ac = 0, dc = 0, rle = 0, , , , , coder = 0] = numbers
  // Incompressible values take a little more room than the pixels.
  const most = 4 * size + 65_536
  if ([1, 6, 7, 8, 9].some((i) => (numbers[i] as number) > most)) throw new BrokenProbe('a block is damaged')
  let at = 8 * sizes + (version >= 2 ? view.getUint16(8 * sizes, true) : 0)
  for (const [length, deflated] of [
    [unknown, true],
    [ac, coder !== 0],
    [dc, true],
    [rle, true],
  ] as const) {
    if (at + length > data.length) throw new BrokenProbe('a block is damaged')
    if (length > 0 && deflated) inflate(data.subarray(at, at + length), most)
    at += length
  }
}

function decodeBlock({ width, channels, compression }: Header, lines: number, data: Uint8Array): Float32Array {
  const box = new Uint8Array(16)
  viewOf(box).setInt32(8, width - 1, true)
  viewOf(box).setInt32(12, lines - 1, true)
  const start = new Uint8Array(8)
  viewOf(start).setUint32(0, magic, true)
  viewOf(start).setUint32(4, 2, true)
  const head = [
    start,
    attribute('channels', 'chlist', channels),
    attribute('compression', 'compression', Uint8Array.of(compression)),
    attribute('dataWindow', 'box2i', box),
    attribute('displayWindow', 'box2i', box),
    new Uint8Array(1),
  ]
  const table = new Uint8Array(16)
  const offset = head.reduce((sum, part) => sum + part.length, 0) + 8
  viewOf(table).setBigUint64(0, BigInt(offset), true)
  viewOf(table).setUint32(12, data.length, true)
  try {
    const image = readExr(Buffer.concat([...head, table, data]))
    if (image.width !== width || image.height !== lines) throw new BrokenProbe('a block has another size')
    return image.data
  } catch (error) {
    throw error instanceof BrokenProbe ? error : new BrokenProbe('a block is damaged', { cause: error })
  }
}

function attribute(name: string, type: string, value: Uint8Array): Uint8Array {
  const size = new Uint8Array(4)
  viewOf(size).setUint32(0, value.length, true)
  return Buffer.concat([Buffer.from(`${name}\0${type}\0`, 'latin1'), size, value])
}
