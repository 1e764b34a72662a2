import { clipBox, growBox } from '#engine/image/geometry.ts'
import { dilateMask } from '#engine/image/morphology.ts'
import type { Size } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'

/** Patches are 7 × 7 pixels. */
export const patchRadius = 3
/** Red, green, blue and the texture strength around. */
export const channels = 4
/** Depth of the hole, in pixels, to start at: coarse, but repetition still shows. */
const startDepth = 4 * patchRadius

/** A resolution of the picture being filled, with a mirrored margin of `patchRadius` pixels. */
export interface PyramidLevel {
  /** Includes the margin; so does `height`. */
  width: number
  height: number
  /** 0 to 255; the hole's pixels are the current estimate. */
  pixels: Uint8Array
  hole: Uint8Array
  /** 1 at the centre of every patch that may be copied: entirely known and inside the picture. */
  source: Uint8Array
  sourceCount: number
  /** Pixels whose patch touches the hole, in raster order. */
  targets: Int32Array
  /** Distance of the hole's pixels to the nearest known pixel; 0 outside the hole. */
  depth: Uint8Array
  deepest: number
}

interface Pixels extends Size {
  pixels: Uint8Array
  hole: Uint8Array
}

/** From full size down to a hole about two patches deep. */
export function buildPyramid(full: Pixels): PyramidLevel[] {
  const levels = [addMargin(full)]
  let current = full
  for (;;) {
    const last = levels[levels.length - 1] as PyramidLevel
    if (last.deepest <= startDepth || Math.min(current.width, current.height) < 40) return levels
    current = halve(current)
    const next = addMargin(current)
    if (next.sourceCount < 150 || next.targets.length === 0) return levels
    levels.push(next)
  }
}

/** Halves the size by the means of known pixels; blocks less than half known become hole. */
function halve({ width, height, pixels, hole }: Pixels): Pixels {
  const columns = Math.ceil(width / 2)
  const rows = Math.ceil(height / 2)
  const out = new Uint8Array(columns * rows * channels)
  const gap = new Uint8Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    const below = 2 * y + 1 < height ? width : 0
    for (let x = 0; x < columns; x++) {
      const right = 2 * x + 1 < width ? 1 : 0
      const i = 2 * y * width + 2 * x
      const a = 1 - (hole[i] as number)
      const b = 1 - (hole[i + right] as number)
      const c = 1 - (hole[i + below] as number)
      const d = 1 - (hole[i + below + right] as number)
      const known = a + b + c + d
      const o = y * columns + x
      if (known < 2) gap[o] = 1
      if (known === 0) continue
      for (let k = 0; k < channels; k++) {
        const sum =
          a * (pixels[4 * i + k] as number) +
          b * (pixels[4 * (i + right) + k] as number) +
          c * (pixels[4 * (i + below) + k] as number) +
          d * (pixels[4 * (i + below + right) + k] as number)
        out[4 * o + k] = (sum / known + 0.5) | 0
      }
    }
  }
  return { width: columns, height: rows, pixels: out, hole: gap }
}

function addMargin(inner: Pixels): PyramidLevel {
  const width = inner.width + 2 * patchRadius
  const height = inner.height + 2 * patchRadius
  const from = new Uint32Array(inner.pixels.buffer, inner.pixels.byteOffset, inner.width * inner.height)
  const pixels = new Uint32Array(width * height)
  const hole = new Uint8Array(width * height)
  const sides = Array.from({ length: 2 * patchRadius }, (_, k) => (k < patchRadius ? k : inner.width + k))
  for (let y = 0; y < height; y++) {
    const row = mirrored(y - patchRadius, inner.height) * inner.width
    const start = y * width
    pixels.set(from.subarray(row, row + inner.width), start + patchRadius)
    hole.set(inner.hole.subarray(row, row + inner.width), start + patchRadius)
    for (const x of sides) {
      const i = row + mirrored(x - patchRadius, inner.width)
      pixels[start + x] = from[i] as number
      hole[start + x] = inner.hole[i] as number
    }
  }
  const near = dilateMask(hole, width, height, patchRadius)
  const { source, sourceCount } = sourcesOf(near, width, height)
  const { depth, deepest } = depthOf(hole, width)
  return {
    width,
    height,
    pixels: new Uint8Array(pixels.buffer),
    hole,
    source,
    sourceCount,
    targets: targetsOf(near, width, height),
    depth,
    deepest,
  }
}

export function targetBox({ width, height, targets }: PyramidLevel, spare: number): Box {
  let [left, right] = [width, 0]
  for (const i of targets) {
    if (i % width < left) left = i % width
    if (i % width > right) right = i % width
  }
  const top = Math.floor((targets[0] ?? 0) / width)
  const bottom = Math.floor((targets[targets.length - 1] ?? 0) / width)
  const box = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
  return clipBox(growBox(box, spare), { width, height }) as Box
}

export function indexInBox(box: Box, { width }: PyramidLevel, i: number): number {
  return (((i / width) | 0) - box.y) * box.width + (i % width) - box.x
}

/** The hole's pixels in the margin, each with the pixel of the picture that it mirrors. */
export function mirroredPairs({ width, height, hole }: PyramidLevel): [number, number][] {
  const pairs: [number, number][] = []
  const inside = (position: number, count: number): number =>
    position < patchRadius
      ? 2 * patchRadius - 1 - position
      : position >= count - patchRadius
        ? 2 * (count - patchRadius) - 1 - position
        : position
  for (let y = 0; y < height; y++) {
    const across = y >= patchRadius && y < height - patchRadius
    for (let x = 0; x < width; x++) {
      if (across && x === patchRadius) x = width - patchRadius
      const i = y * width + x
      if (hole[i] === 1) pairs.push([i, inside(y, height) * width + inside(x, width)])
    }
  }
  return pairs
}

export function mirrorMargin(level: PyramidLevel): void {
  const all = new Uint32Array(level.pixels.buffer)
  for (const [i, from] of mirroredPairs(level)) all[i] = all[from] as number
}

function mirrored(position: number, count: number): number {
  const back = position < 0 ? -position - 1 : position >= count ? 2 * count - 1 - position : position
  return Math.min(Math.max(back, 0), count - 1)
}

function sourcesOf(near: Uint8Array, width: number, height: number): { source: Uint8Array; sourceCount: number } {
  const source = new Uint8Array(width * height)
  let sourceCount = 0
  for (let y = 2 * patchRadius; y < height - 2 * patchRadius; y++) {
    for (let i = y * width + 2 * patchRadius; i < (y + 1) * width - 2 * patchRadius; i++) {
      if (near[i] === 0) source[i] = 1
    }
  }
  for (let i = 0; i < source.length; i++) sourceCount += source[i] as number
  return { source, sourceCount }
}

function targetsOf(near: Uint8Array, width: number, height: number): Int32Array {
  const found = new Int32Array(width * height)
  let count = 0
  for (let y = patchRadius; y < height - patchRadius; y++) {
    for (let i = y * width + patchRadius; i < (y + 1) * width - patchRadius; i++) if (near[i] === 1) found[count++] = i
  }
  return found.slice(0, count)
}

export function markedIndices(mask: Uint8Array): Int32Array {
  const found = new Int32Array(mask.length)
  let count = 0
  for (let i = 0; i < mask.length; i++) if (mask[i] === 1) found[count++] = i
  return found.slice(0, count)
}

/** Chessboard distance, up to 255. */
function depthOf(hole: Uint8Array, width: number): { depth: Uint8Array; deepest: number } {
  const depth = new Uint8Array(hole.length)
  const inside = markedIndices(hole)
  let deepest = 0
  for (let n = 0; n < inside.length; n++) {
    const i = inside[n] as number
    const x = i % width
    let least = 254
    if (x > 0) least = Math.min(least, depth[i - 1] as number)
    if (i >= width) {
      least = Math.min(least, depth[i - width] as number)
      if (x > 0) least = Math.min(least, depth[i - width - 1] as number)
      if (x + 1 < width) least = Math.min(least, depth[i - width + 1] as number)
    }
    depth[i] = least + 1
  }
  for (let n = inside.length - 1; n >= 0; n--) {
    const i = inside[n] as number
    const x = i % width
    let least = (depth[i] as number) - 1
    if (x + 1 < width) least = Math.min(least, depth[i + 1] as number)
    if (i + width < hole.length) {
      least = Math.min(least, depth[i + width] as number)
      if (x > 0) least = Math.min(least, depth[i + width - 1] as number)
      if (x + 1 < width) least = Math.min(least, depth[i + width + 1] as number)
    }
    depth[i] = least + 1
    if (least + 1 > deepest) deepest = least + 1
  }
  return { depth, deepest }
}
