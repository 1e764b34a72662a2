import type { Box } from '#shared/media.ts'
import type { Picture, Size } from './picture.ts'
import { isOpaque } from './pixels.ts'

/** Source pixels for each target pixel above which whole blocks are averaged first. */
const blockScale = 4

/**
 * Separable Catmull–Rom (Keys 1981), widened when reducing, with the same pixels on every machine.
 * Alpha is handled premultiplied; the border is repeated outside; `part` may be fractional.
 */
export function resamplePart(picture: Picture, part: Box, width: number, height: number): Picture {
  const across = Math.floor(part.width / width / (blockScale / 2))
  const down = Math.floor(part.height / height / (blockScale / 2))
  if (across >= 2 || down >= 2)
    return resampleBlocks(picture, part, width, height, Math.max(1, across), Math.max(1, down))
  return resampleFine(picture, part, width, height)
}

function resampleBlocks(
  picture: Picture,
  part: Box,
  width: number,
  height: number,
  across: number,
  down: number,
): Picture {
  const left = across * Math.floor(part.x / across)
  const top = down * Math.floor(part.y / down)
  const right = Math.min(across * Math.ceil((part.x + part.width) / across), picture.width)
  const bottom = Math.min(down * Math.ceil((part.y + part.height) / down), picture.height)
  const whole = { x: left, y: top, width: right - left, height: bottom - top }
  const { channels, size } = averageBlocks(picture, whole, across, down)
  const data = new Uint8ClampedArray(channels.length)
  for (let i = 0; i < data.length; i += 4) {
    const alpha = channels[i + 3] as number
    const share = alpha > 0 ? 255 / alpha : 0
    for (let c = i; c < i + 3; c++) data[c] = share * (channels[c] as number)
    data[i + 3] = alpha
  }
  const inBlocks = {
    x: (part.x - left) / across,
    y: (part.y - top) / down,
    width: part.width / across,
    height: part.height / down,
  }
  return resampleFine({ ...size, data }, inBlocks, width, height)
}

export interface Premultiplied {
  channels: Float32Array
  size: Size
}

/** Means of blocks of `across` × `down` pixels in a whole-pixel box. */
export function averageBlocks({ width, data }: Picture, box: Box, across: number, down: number): Premultiplied {
  const size = { width: Math.ceil(box.width / across), height: Math.ceil(box.height / down) }
  const channels = new Float32Array(size.width * size.height * 4)
  const [right, end] = [box.x + box.width, box.y + box.height]
  for (let top = box.y, to = 0; top < end; top += down) {
    const bottom = Math.min(top + down, end)
    for (let left = box.x; left < right; left += across, to += 4) {
      const beyond = Math.min(left + across, right)
      let red = 0
      let green = 0
      let blue = 0
      let cover = 0
      for (let row = top; row < bottom; row++) {
        for (let at = 4 * (row * width + left); at < 4 * (row * width + beyond); at += 4) {
          const alpha = (data[at + 3] as number) / 255
          red += alpha * (data[at] as number)
          green += alpha * (data[at + 1] as number)
          blue += alpha * (data[at + 2] as number)
          cover += alpha
        }
      }
      const share = 1 / ((bottom - top) * (beyond - left))
      channels[to] = share * red
      channels[to + 1] = share * green
      channels[to + 2] = share * blue
      channels[to + 3] = 255 * share * cover
    }
  }
  return { channels, size }
}

interface Taps {
  first: Int32Array
  weights: Float32Array
  count: number
}

function tapsOf(start: number, length: number, count: number): Taps {
  const scale = length / count
  const widening = Math.max(1, scale)
  const reach = 2 * widening
  const size = Math.ceil(2 * reach) + 1
  const first = new Int32Array(count)
  const weights = new Float32Array(count * size)
  for (let i = 0; i < count; i++) {
    const centre = start + (i + 0.5) * scale - 0.5
    const begin = Math.ceil(centre - reach)
    first[i] = begin
    let sum = 0
    for (let k = 0; k < size; k++) sum += catmullRom((begin + k - centre) / widening)
    for (let k = 0; k < size; k++) weights[i * size + k] = catmullRom((begin + k - centre) / widening) / sum
  }
  return { first, weights, count: size }
}

/** Weight at a distance in pixels (Keys 1981). */
export function catmullRom(distance: number): number {
  const t = Math.abs(distance)
  if (t >= 2) return 0
  return t < 1 ? (1.5 * t - 2.5) * t * t + 1 : ((-0.5 * t + 2.5) * t - 4) * t + 2
}

function resampleFine(picture: Picture, part: Box, width: number, height: number): Picture {
  const columns = tapsOf(part.x, part.width, width)
  const rows = tapsOf(part.y, part.height, height)
  const opaque = isOpaque(picture)
  const top = Math.max(0, rows.first[0] as number)
  const bottom = Math.min(picture.height, (rows.first[height - 1] as number) + rows.count)
  const channels = opaque ? 3 : 4
  const lines = new Float32Array(Math.max(1, bottom - top) * width * channels)
  const line = new Float32Array(picture.width * channels)
  for (let y = top; y < bottom; y++) {
    unpack(picture, y, line, channels)
    reduceLine(line, picture.width, lines, (y - top) * width * channels, width, channels, columns)
  }
  const data = new Uint8ClampedArray(width * height * 4)
  const sums = new Float32Array(width * channels)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let k = 0; k < rows.count; k++) {
      const weight = rows.weights[y * rows.count + k] as number
      if (weight === 0) continue
      const source = Math.min(Math.max((rows.first[y] as number) + k, top), bottom - 1) - top
      const from = source * width * channels
      for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) + weight * (lines[from + i] as number)
    }
    pack(sums, data, y * width * 4, channels)
  }
  return { width, height, data }
}

function unpack({ data, width }: Picture, y: number, line: Float32Array, channels: number): void {
  let from = 4 * y * width
  for (let i = 0; i < line.length; i += channels, from += 4) {
    const share = channels === 4 ? (data[from + 3] as number) / 255 : 1
    line[i] = (data[from] as number) * share
    line[i + 1] = (data[from + 1] as number) * share
    line[i + 2] = (data[from + 2] as number) * share
    if (channels === 4) line[i + 3] = data[from + 3] as number
  }
}

function reduceLine(
  line: Float32Array,
  length: number,
  out: Float32Array,
  start: number,
  width: number,
  channels: number,
  { first, weights, count }: Taps,
): void {
  for (let x = 0; x < width; x++) {
    let red = 0
    let green = 0
    let blue = 0
    let alpha = 0
    const begin = first[x] as number
    const inside = begin >= 0 && begin + count <= length
    for (let k = 0; k < count; k++) {
      const weight = weights[x * count + k] as number
      const at = channels * (inside ? begin + k : Math.min(Math.max(begin + k, 0), length - 1))
      red += weight * (line[at] as number)
      green += weight * (line[at + 1] as number)
      blue += weight * (line[at + 2] as number)
      if (channels === 4) alpha += weight * (line[at + 3] as number)
    }
    const to = start + x * channels
    out[to] = red
    out[to + 1] = green
    out[to + 2] = blue
    if (channels === 4) out[to + 3] = alpha
  }
}

function pack(sums: Float32Array, data: Uint8ClampedArray, start: number, channels: number): void {
  for (let i = 0, to = start; i < sums.length; i += channels, to += 4) {
    const alpha = channels === 4 ? Math.min(255, Math.max(0, sums[i + 3] as number)) : 255
    const share = alpha > 0 ? 255 / alpha : 0
    data[to] = (sums[i] as number) * share
    data[to + 1] = (sums[i + 1] as number) * share
    data[to + 2] = (sums[i + 2] as number) * share
    data[to + 3] = alpha
  }
}
