import { unitRange } from '#engine/image/normalization.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import type { Box } from '#shared/media.ts'
import type { ModelFamily, OnnxSession, OnnxSessions } from '../family.ts'
import { type Channels, colourTensor, fixedSize, runOn, sessionOf } from '../session.ts'

/** For networks that accept any size. */
const tileSide = 256

type Enlarge = (tile: Picture, denoise: number, sessions: OnnxSessions) => Promise<Channels>

const enlargeBy = (session: OnnxSession, tile: Picture) => runOn(session, colourTensor(tile, unitRange))

/** Real-ESRGAN (Wang et al. 2021) and other networks of one file. */
const singleNetwork: Enlarge = (tile, _denoise, sessions) => enlargeBy(sessionOf(sessions, 'model'), tile)

/**
 * realesr-general-x4v3: one network removes noise, the other (`wdn`) keeps it; both outputs are
 * mixed, and at either end one of them suffices.
 */
const mixedNetworks: Enlarge = async (tile, denoise, sessions) => {
  if (denoise >= 1) return enlargeBy(sessionOf(sessions, 'model'), tile)
  const noisy = await enlargeBy(sessionOf(sessions, 'wdn'), tile)
  if (denoise <= 0) return noisy
  const clean = await enlargeBy(sessionOf(sessions, 'model'), tile)
  for (let i = 0; i < noisy.data.length; i++) {
    noisy.data[i] = (noisy.data[i] as number) * (1 - denoise) + (clean.data[i] as number) * denoise
  }
  return noisy
}

/** Networks enlarge in tiles with crossfaded overlaps; alpha is resampled. */
const family = (id: string, files: readonly string[], enlarge: Enlarge): ModelFamily<'upscale'> => ({
  id,
  task: 'upscale',
  files,
  async perform({ picture, factor, denoise }, sessions, signal) {
    const fixed = fixedSize(sessionOf(sessions, 'model'))
    const size = fixed ?? { width: tileSide, height: tileSide }
    const mosaic = new Mosaic(picture, factor, size.height)
    for (const tile of tilesOf(picture, size)) {
      signal.throwIfAborted()
      const seen = fixed ? padToSize(cropPicture(picture, tile), fixed) : cropPicture(picture, tile)
      mosaic.add(tile, await enlarge(seen, denoise, sessions), seen)
    }
    return { picture: withAlpha(mosaic.finish(), picture) }
  },
})

export const upscaling: readonly ModelFamily<'upscale'>[] = [
  family('realesr-general', ['model', 'wdn'], mixedNetworks),
  family('esrgan', ['model'], singleNetwork),
]

function padToSize(tile: Picture, { width, height }: { width: number; height: number }): Picture {
  if (tile.width === width && tile.height === height) return tile
  return resamplePart(tile, { x: 0, y: 0, width, height }, width, height)
}

function withAlpha(large: Picture, picture: Picture): Picture {
  const { width, height } = picture
  const { data } = resamplePart(picture, { x: 0, y: 0, width, height }, large.width, large.height)
  for (let i = 3; i < data.length; i += 4) large.data[i] = data[i] as number
  return large
}

/**
 * Pixels shared by neighbouring tiles; the outer quarters have too little context and are not used.
 */
const overlap = 32
const unused = overlap / 4

/**
 * Tiles of equal size that cover a picture; the last ones overlap more instead of being smaller.
 */
function tilesOf(picture: Size, { width, height }: Size): Box[] {
  const starts = (length: number, side: number): number[] => {
    if (length <= side) return [0]
    const step = Math.max(1, side - overlap)
    const count = Math.ceil((length - side) / step) + 1
    return Array.from({ length: count }, (_, i) => Math.min(i * step, length - side))
  }
  const size = { width: Math.min(width, picture.width), height: Math.min(height, picture.height) }
  return starts(picture.height, height).flatMap((y) => starts(picture.width, width).map((x) => ({ x, y, ...size })))
}

/**
 * Crossfades overlaps. Tiles come row by row; only rows that further tiles reach are kept as sums.
 */
class Mosaic {
  readonly #picture: Size
  readonly #factor: number
  readonly #out: Picture
  /** Weighted red, green and blue, and the weight; the first row is `#top` of the result. */
  readonly #sums: Float32Array
  #top = 0

  constructor({ width, height }: Size, factor: number, rows: number) {
    this.#picture = { width, height }
    this.#factor = factor
    const size = { width: width * factor, height: height * factor }
    this.#out = { ...size, data: new Uint8ClampedArray(4 * size.width * size.height).fill(255) }
    this.#sums = new Float32Array(4 * size.width * Math.min(rows, height) * factor)
  }

  /**
   * Adds a network's output for a tile (colours 0 to 1), averaged down if enlarged more than
   * requested. Its input was `seen`, with the tile at the upper left.
   */
  add(tile: Box, large: Channels, seen: Size): void {
    const enlarged = large.width / seen.width
    const step = enlarged / this.#factor
    if (large.count !== 3 || step < 1 || step % 1 !== 0 || large.height / seen.height !== enlarged) {
      throw new Error(`The network enlarges ${enlarged} times, not ${this.#factor}`)
    }
    this.#finishTo(tile.y * this.#factor)
    const sums = this.#sums
    const across = this.#fade(tile.x, tile.width, this.#picture.width)
    const down = this.#fade(tile.y, tile.height, this.#picture.height)
    for (let y = 0; y < down.length; y++) {
      for (let x = 0, to = 4 * (y * this.#out.width + tile.x * this.#factor); x < across.length; x++, to += 4) {
        const weight = (across[x] as number) * (down[y] as number)
        if (weight === 0) continue
        sums[to + 3] = (sums[to + 3] as number) + weight
        for (let c = 0; c < 3; c++) {
          const from = (c * large.height + y * step) * large.width + x * step
          sums[to + c] = (sums[to + c] as number) + weight * meanOf(large, from, step)
        }
      }
    }
  }

  finish(): Picture {
    this.#finishTo(this.#out.height)
    return this.#out
  }

  /** No further tile reaches the rows above `row`. */
  #finishTo(row: number): void {
    const count = 4 * (row - this.#top) * this.#out.width
    const start = 4 * this.#top * this.#out.width
    const sums = this.#sums
    for (let i = 0; i < count; i += 4) {
      const scale = 255 / (sums[i + 3] as number)
      for (let c = i; c < i + 3; c++) this.#out.data[start + c] = (sums[c] as number) * scale
    }
    sums.copyWithin(0, count).fill(0, sums.length - count)
    this.#top = row
  }

  /** Weight along a side: 1 inside, falling to 0 where another tile continues. */
  #fade(start: number, length: number, whole: number): Float32Array {
    const ramp = (away: number) => Math.min(1, Math.max(0, (away - unused) / (overlap - 2 * unused)))
    return Float32Array.from({ length: length * this.#factor }, (_, i) => {
      const at = (i + 0.5) / this.#factor
      const before = start > 0 ? ramp(at) : 1
      const after = start + length < whole ? ramp(length - at) : 1
      return Math.min(before, after)
    })
  }
}

/** Each value is limited to 0 to 1. */
function meanOf({ width, data }: Channels, from: number, side: number): number {
  let sum = 0
  for (let row = from; row < from + side * width; row += width) {
    for (let i = row; i < row + side; i++) sum += Math.min(1, Math.max(0, data[i] as number))
  }
  return sum / side ** 2
}
