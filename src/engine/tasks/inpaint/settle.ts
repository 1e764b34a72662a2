import type { Box } from '#contract/media.ts'
import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { channels, type Level, reach, targetBox } from './level.ts'

/** Share of what is missing to the expected colours that is added where nothing is predictable. */
const settled = 0.85
/** How much smaller than the hole's depth the radius is of the means that count as colour. */
const finer = 9

/** What is expected at a level that is a power of two smaller than the finest. */
export interface Expectation {
  level: Level
  /** Times the level was halved. */
  halvings: number
  /** Red, green, blue and texture, as the level's pixels. */
  colours: Uint8Array
  /** How unpredictable the hole's pixels are, less where colours are unsure: 0 to 1. */
  chance: Float32Array
}

/**
 * Brings the low frequencies of a filled hole nearer to the expected colours where texture is
 * chance: patches that fit their neighbours each can still add up to a spot of another colour. All
 * detail stays. In place.
 */
export function settleColours(finest: Level, { level, halvings, colours, chance }: Expectation): void {
  const box = targetBox(level, 1)
  const [sums, counts] = sumBlocks(finest, level, halvings, box)
  const radius = Math.max(2, Math.round(level.deepest / finer))
  const soften = (plane: Plane): Float32Array => boxBlur(boxBlur(plane, radius), radius).data
  const inside = createPlane(box.width, box.height)
  for (let k = 0; k < inside.data.length; k++) inside.data[k] = (counts[k] as number) > 0 ? 1 : 0
  const weight = soften(inside)
  const steps = sums.map(({ data }, c) => {
    const lacking = createPlane(box.width, box.height)
    eachPlace(box, level.width, (k, i) => {
      const count = counts[k] as number
      if (count > 0) lacking.data[k] = (colours[channels * i + c] as number) - (data[k] as number) / count
    })
    const soft = soften(lacking)
    eachPlace(box, level.width, (k, i) => {
      soft[k] = counts[k] ? (settled * (chance[i] as number) * (soft[k] as number)) / (weight[k] as number) : 0
    })
    return soft
  })
  addEnlarged(finest, steps, box, halvings)
}

function eachPlace(box: Box, width: number, visit: (k: number, i: number) => void): void {
  for (let k = 0, y = box.y; y < box.y + box.height; y++) {
    for (let i = y * width + box.x; i < y * width + box.x + box.width; i++) visit(k++, i)
  }
}

/** Sums and counts of the finest level's filled pixels in each of the hole's blocks. */
function sumBlocks(finest: Level, level: Level, halvings: number, box: Box): [Plane[], Uint16Array] {
  const sums = [0, 1, 2].map(() => createPlane(box.width, box.height))
  const counts = new Uint16Array(box.width * box.height)
  for (const i of finest.targets) {
    if (finest.hole[i] === 0) continue
    const x = (((i % finest.width) - reach) >> halvings) + reach
    const y = ((((i / finest.width) | 0) - reach) >> halvings) + reach
    const k = (y - box.y) * box.width + x - box.x
    if (x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height) continue
    if (level.hole[y * level.width + x] === 0) continue
    counts[k] = (counts[k] as number) + 1
    for (let c = 0; c < 3; c++) {
      const { data } = sums[c] as Plane
      data[k] = (data[k] as number) + (finest.pixels[channels * i + c] as number)
    }
  }
  return [sums, counts]
}

/** Adds steps of a smaller level, a list for every channel, bilinearly enlarged. */
function addEnlarged({ width, pixels, hole, targets }: Level, steps: Float32Array[], box: Box, halvings: number): void {
  const scale = 2 ** halvings
  const locate = (position: number, start: number, count: number): number =>
    Math.min(count - 1.001, Math.max(0, (position - reach + 0.5) / scale - 0.5 + reach - start))
  for (const i of targets) {
    if (hole[i] === 0) continue
    const x = locate(i % width, box.x, box.width)
    const y = locate((i / width) | 0, box.y, box.height)
    const k = (y | 0) * box.width + (x | 0)
    const u = x - (x | 0)
    const v = y - (y | 0)
    for (let c = 0; c < steps.length; c++) {
      const step = steps[c] as Float32Array
      const upper = (1 - u) * (step[k] as number) + u * (step[k + 1] as number)
      const lower = (1 - u) * (step[k + box.width] as number) + u * (step[k + box.width + 1] as number)
      const value = (pixels[channels * i + c] as number) + (1 - v) * upper + v * lower
      pixels[channels * i + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5
    }
  }
}
