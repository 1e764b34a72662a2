import type { Plane } from '#engine/image/picture.ts'

/**
 * A picture cut into segments: the number of the one that each pixel belongs to, −1 for none, and
 * how many there are.
 */
export interface Segments {
  of: Int32Array
  count: number
}

/** Steps of lightness that are told apart; what differs by more than a quarter is parted anyway. */
const steps = 1024
const bins = steps / 4

/**
 * Pairs of neighbours by their indices, those that differ least first, and how many steps each pair
 * differs by.
 */
interface Pairs {
  from: Int32Array
  to: Int32Array
  by: Uint8Array
}

/**
 * Cuts what `person` covers into segments of even lightness by joining neighbours, the most alike
 * first, while they differ by no more than either segment does within and a tolerance that falls
 * with its area (Felzenszwalb & Huttenlocher 2004). Lightness 0 to 1, planes of one size;
 * `tolerance` is a difference in lightness times an area in pixels; segments of less than `least`
 * pixels join the neighbour most like them.
 */
export function cutSegments(lightness: Plane, person: Plane, tolerance: number, least: number): Segments {
  const covered = (i: number) => (person.data[i] as number) > 0.1
  const { from, to, by } = pairsOf(lightness, covered)
  const size = lightness.data.length
  const parent = Int32Array.from({ length: size }, (_, i) => i)
  const area = new Int32Array(size).fill(1)
  const limit = new Float32Array(size).fill(tolerance)
  const join = (pair: number, agreed: (i: number, j: number, difference: number) => boolean) => {
    const [i, j] = [rootOf(parent, from[pair] as number), rootOf(parent, to[pair] as number)]
    const difference = (by[pair] as number) / steps
    if (i === j || !agreed(i, j, difference)) return
    parent[j] = i
    area[i] = (area[i] as number) + (area[j] as number)
    limit[i] = difference + tolerance / (area[i] as number)
  }
  const alike = (i: number, j: number, difference: number) =>
    difference <= Math.min(limit[i] as number, limit[j] as number)
  const small = (i: number, j: number) => Math.min(area[i] as number, area[j] as number) < least
  for (let pair = 0; pair < by.length; pair++) join(pair, alike)
  for (let pair = 0; pair < by.length; pair++) join(pair, small)
  return numbered(parent, covered)
}

function pairsOf({ width, data }: Plane, covered: (i: number) => boolean): Pairs {
  const eachPair = (visit: (i: number, j: number, step: number) => void) => {
    const meet = (i: number, j: number) => {
      const difference = Math.abs((data[i] as number) - (data[j] as number))
      if (covered(j)) visit(i, j, Math.min(bins - 1, Math.floor(steps * difference)))
    }
    for (let i = 0; i < data.length; i++) {
      if (!covered(i)) continue
      if ((i + 1) % width !== 0) meet(i, i + 1)
      if (i + width < data.length) meet(i, i + width)
    }
  }
  const next = new Int32Array(bins + 1)
  eachPair((_i, _j, step) => {
    next[step + 1] = (next[step + 1] as number) + 1
  })
  for (let step = 0; step < bins; step++) next[step + 1] = (next[step + 1] as number) + (next[step] as number)
  const count = next[bins] as number
  const pairs = { from: new Int32Array(count), to: new Int32Array(count), by: new Uint8Array(count) }
  eachPair((i, j, step) => {
    const at = next[step] as number
    pairs.from[at] = i
    pairs.to[at] = j
    pairs.by[at] = step
    next[step] = at + 1
  })
  return pairs
}

/** Where a pixel's chain of parents ends; chains are halved on the way. */
function rootOf(parent: Int32Array, i: number): number {
  let at = i
  while (parent[at] !== at) {
    parent[at] = parent[parent[at] as number] as number
    at = parent[at] as number
  }
  return at
}

function numbered(parent: Int32Array, covered: (i: number) => boolean): Segments {
  const numbers = new Int32Array(parent.length).fill(-1)
  let count = 0
  const of = parent.map((_, i) => {
    if (!covered(i)) return -1
    const root = rootOf(parent, i)
    if (numbers[root] === -1) numbers[root] = count++
    return numbers[root] as number
  })
  return { of, count }
}
