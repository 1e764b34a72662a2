import type { LightProbe } from './light-probe.ts'
import type { Size } from './picture.ts'

/** Takes linear RGB of row `y`, interleaved; the memory is reused for the next row. */
export type TakeRow = (y: number, row: Float32Array) => void

/** A probe's file is damaged or of a kind that cannot be read. */
export class BrokenProbe extends Error {}

const maxHeader = 16_384
/** Widths that the run-length encoding by channel can have. */
const channelRuns = { least: 8, most: 32_767 } as const
const scales = Float32Array.from({ length: 256 }, (_, exponent) => (exponent === 0 ? 0 : 2 ** (exponent - 136)))

export const isRadiance = (bytes: Uint8Array): boolean => bytes[0] === 0x23 && bytes[1] === 0x3f

/**
 * Reads a picture of Radiance (RGBE; Ward 1991) row by row, so that memory depends on its width
 * only. `begin` receives the size and may refuse it. Throws {@link BrokenProbe}.
 */
export function readRadiance(bytes: Uint8Array, begin: (size: Size) => TakeRow): void {
  const { size, start } = readHeader(bytes)
  const take = begin(size)
  const { width, height } = size
  const planes = new Uint8Array(4 * width)
  const row = new Float32Array(3 * width)
  let at = start
  for (let y = 0; y < height; y++) {
    const byChannel =
      width >= channelRuns.least &&
      width <= channelRuns.most &&
      bytes[at] === 2 &&
      bytes[at + 1] === 2 &&
      ((bytes[at + 2] as number) << 8) + (bytes[at + 3] as number) === width
    at = byChannel ? readChannels(bytes, at + 4, planes, width) : readPixels(bytes, at, planes, width)
    for (let x = 0; x < width; x++) {
      const scale = scales[planes[3 * width + x] as number] as number
      for (let c = 0; c < 3; c++) row[3 * x + c] = scale * (planes[c * width + x] as number)
    }
    take(y, row)
  }
}

function readHeader(bytes: Uint8Array): { size: Size; start: number } {
  if (!isRadiance(bytes)) throw new BrokenProbe('the signature is missing')
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, maxHeader))
  const end = text.indexOf('\n\n')
  const newline = text.indexOf('\n', end + 2)
  if (end < 0 || newline < 0) throw new BrokenProbe('the header has no end')
  const format = /^FORMAT=(.*)$/m.exec(text.slice(0, end))?.[1]?.trim()
  if (format !== undefined && format !== '32-bit_rle_rgbe') throw new BrokenProbe('the colours are not RGBE')
  const found = /^-Y (\d{1,6}) \+X (\d{1,6})$/.exec(text.slice(end + 2, newline).trim())
  const [height, width] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)]
  if (width < 1 || height < 1) throw new BrokenProbe('the size is missing')
  return { size: { width, height }, start: newline + 1 }
}

/** Runs and literals of each channel; returns the position after them. */
function readChannels(bytes: Uint8Array, from: number, planes: Uint8Array, width: number): number {
  let at = from
  for (let to = 0; to < planes.length; ) {
    const rest = width - (to % width)
    const code = bytes[at++] ?? 0
    const isRun = code > 128
    const length = isRun ? code - 128 : code
    const used = isRun ? 1 : length
    if (length === 0 || length > rest || at + used > bytes.length) throw new BrokenProbe('a row is damaged')
    if (isRun) planes.fill(bytes[at] as number, to, to + length)
    else planes.set(bytes.subarray(at, at + length), to)
    at += used
    to += length
  }
  return at
}

/** Single pixels; 1, 1, 1, n repeats the one before. */
function readPixels(bytes: Uint8Array, from: number, planes: Uint8Array, width: number): number {
  let at = from
  let shift = 0
  for (let x = 0; x < width; at += 4) {
    if (at + 4 > bytes.length) throw new BrokenProbe('the end is missing')
    const isRun = bytes[at] === 1 && bytes[at + 1] === 1 && bytes[at + 2] === 1
    const length = isRun ? (bytes[at + 3] as number) << shift : 1
    if ((isRun && x === 0) || x + length > width || shift > 16) throw new BrokenProbe('a row is damaged')
    for (let c = 0; c < 4; c++) {
      const value = (isRun ? planes[c * width + x - 1] : bytes[at + c]) as number
      planes.fill(value, c * width + x, c * width + x + length)
    }
    x += length
    shift = isRun ? shift + 8 : 0
  }
  return at
}

/** Encodes a probe as single RGBE pixels, 4 bytes each, which every reader of Radiance accepts. */
export function writeRadiance({ width, height, data }: LightProbe): Uint8Array {
  const header = new TextEncoder().encode(`#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y ${height} +X ${width}\n`)
  const bytes = new Uint8Array(header.length + 4 * width * height)
  bytes.set(header)
  for (let i = 0, at = header.length; i < data.length; i += 3, at += 4) {
    const [red, green, blue] = [data[i] as number, data[i + 1] as number, data[i + 2] as number]
    const most = Math.max(red, green, blue)
    if (!(most > 1e-32)) continue
    // The largest mantissa is 128 to 255, so no pixel looks like the mark of a run.
    const exponent = Math.min(127, Math.floor(Math.log2(most)) + 1)
    const scale = 256 / 2 ** exponent
    bytes[at] = Math.min(255, red * scale)
    bytes[at + 1] = Math.min(255, green * scale)
    bytes[at + 2] = Math.min(255, blue * scale)
    bytes[at + 3] = exponent + 128
  }
  return bytes
}
