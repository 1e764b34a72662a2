import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { robust, type Tones } from '#engine/tasks/faces/tones.ts'
import type { UprightAxes } from './worn-glasses.ts'

/**
 * How far inside the outline an arm is taken up and how far beyond it is followed; all lengths are
 * shares of the face's width.
 */
const reach = { inside: 0.03, beyond: 0.14 } as const
/** Heights above and below the eyes at which arms leave the face. */
const leaving = { above: 0.16, below: 0.12 } as const
/** Half of the heights of arms, and how far beyond their edges they are told from what is there. */
const halves = [0.012, 0.022, 0.035, 0.05] as const
const edge = 0.012
/**
 * What an arm has to stand out by at each step, what counts at most, and what a whole one has to.
 */
const [least, most, whole] = [0.9, 3, 3]
/**
 * What a step up or down costs, and each unit by which an arm looks another way than a step before
 * and than where it begins.
 */
const bend = 0.15
const change = 0.8
const unlike = 0.3
/** Differences of the tones that count as one. */
const scales = [0.2, 0.07, 0.07] as const

/** What is seen of a face and around it. */
export interface Seen {
  /** Smooth by a pixel, so that grain stands out less than an arm does. */
  tones: Tones
  hull: Plane
  /** Rims and arms inside the outline, 0 to 1. */
  rims: Plane
  axes: UprightAxes
}

/** Values by row, from the top, and step, outwards from inside the outline. */
interface Strip {
  rows: number
  steps: number
  /** The pixel at a row and step, and so many face widths below; −1 outside the picture. */
  at(row: number, step: number, below?: number): number
}

/**
 * The arm of glasses from the outline to the ear, on the left (−1) or right: the path that stands
 * out most from what is above and below, from where rims or arms reach the outline to where going
 * on gains nothing (dynamic programming). A plane of 0 and 1, of 0 where no arm is found.
 */
export function armBeyond({ tones, hull, rims, axes }: Seen, side: 1 | -1): Plane {
  const out = createPlane(hull.width, hull.height)
  const strip = stripOf(hull, axes, side)
  const { rows, steps, at } = strip
  const inside = Math.ceil(reach.inside * axes.unit) + 1
  const start = createPlane(hull.width, hull.height)
  const begins = Array.from({ length: rows }, (_, row) => {
    const worn = Array.from({ length: inside }, (_, step) => at(row, step)).filter((i) => (rims.data[i] ?? 0) > 0.2)
    for (const i of worn) start.data[i] = 1
    return worn.length > 0
  })
  if (!begins.includes(true)) return out
  const look = tones.map((tone) => robust(tone, start, 1).middle)
  const values = new Float32Array(rows * steps)
  const half = new Float32Array(rows * steps)
  for (let row = 0; row < rows; row++) {
    for (let step = 0; step < steps; step++) {
      const own = at(row, step)
      if (own < 0) continue
      let best = 0
      for (const wide of halves) {
        const value = standsOut(tones, own, [at(row, step, -wide - edge), at(row, step, wide + edge)])
        if (value <= best + 0.1) continue
        best = value
        half[row * steps + step] = wide
      }
      const other = apart(tones, own, (c) => look[c] as number)
      values[row * steps + step] = Math.min(most, best) - least - unlike * Math.min(most, other)
    }
  }
  for (const { row, step } of bestPath(tones, values, begins, strip)) {
    const wide = (half[row * steps + step] || halves[1]) + 0.5 * edge
    for (let below = -wide; below <= wide; below += 0.4 / axes.unit) {
      const i = at(row, step, below)
      if (i >= 0) out.data[i] = 1
    }
  }
  return out
}

function stripOf({ width, height, data }: Plane, { unit, at }: UprightAxes, side: 1 | -1): Strip {
  const pixel = (across: number, down: number) => {
    const point = at(across, down)
    const [x, y] = [Math.round(point.x), Math.round(point.y)]
    return x >= 0 && y >= 0 && x < width && y < height ? y * width + x : -1
  }
  const rows = Math.round((leaving.above + leaving.below) * unit)
  const downOf = (row: number) => row / unit - leaving.above
  const ends = Array.from({ length: rows }, (_, row) => {
    let far = 0.8
    while (far > 0 && (data[pixel(side * far, downOf(row))] ?? 0) < 0.5) far -= 0.5 / unit
    return far
  })
  return {
    rows,
    steps: Math.round((reach.inside + reach.beyond) * unit),
    at: (row, step, below = 0) =>
      pixel(side * ((ends[row] as number) - reach.inside + step / unit), downOf(row) + below),
  }
}

/** How much a pixel differs from both others, of which neither may lie outside the picture. */
function standsOut(tones: Tones, own: number, others: readonly number[]): number {
  if (own < 0 || others.some((other) => other < 0)) return 0
  return Math.min(...others.map((other) => apart(tones, own, (c) => tones[c]?.data[other] as number)))
}

/** How far the tones of a pixel are from others. */
function apart(tones: Tones, i: number, other: (channel: number) => number): number {
  const sum = tones.reduce((sum, { data }, c) => {
    return sum + (((data[i] as number) - other(c)) / (scales[c] as number)) ** 2
  }, 0)
  return Math.sqrt(sum) / 2
}

/**
 * The path with the largest sum that starts where one may begin; none where it does not stand out.
 */
function bestPath(
  tones: Tones,
  values: Float32Array,
  begins: readonly boolean[],
  { rows, steps, at }: Strip,
): { row: number; step: number }[] {
  let sums = Float32Array.from(begins, (may, row) => (may ? (values[row * steps] as number) : -Infinity))
  const from = new Int32Array(rows * steps)
  const end = { row: -1, step: 0, sum: whole }
  for (let step = 1; step < steps; step++) {
    const next = new Float32Array(rows)
    for (let row = 0; row < rows; row++) {
      let best = -Infinity
      for (let p = Math.max(0, row - 1); p <= Math.min(rows - 1, row + 1); p++) {
        const [own, last] = [at(row, step), at(p, step - 1)]
        const other = own < 0 || last < 0 ? most : apart(tones, own, (c) => tones[c]?.data[last] as number)
        const sum = (sums[p] as number) - (p === row ? 0 : bend) - change * Math.min(most, other)
        if (sum <= best) continue
        best = sum
        from[row * steps + step] = p
      }
      next[row] = best + (values[row * steps + step] as number)
      if ((next[row] as number) > end.sum) Object.assign(end, { row, step, sum: next[row] })
    }
    sums = next
  }
  const path: { row: number; step: number }[] = []
  for (let { row, step } = end; row >= 0 && step >= 0; step--) {
    path.push({ row, step })
    row = from[row * steps + step] as number
  }
  return path
}
