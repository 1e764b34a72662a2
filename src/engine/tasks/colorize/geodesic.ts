import type { Plane } from '#engine/image/picture.ts'

/** What makes a way from pixel to pixel longer. */
export interface StepCosts {
  /** The length of every step. */
  step: number
  /** What a difference in lightness of 1 adds; differences below `grain` add nothing. */
  edge: number
  grain: number
  /** What a difference of 1 in any of the labels adds. */
  label: number
}

/**
 * Something about each pixel and its neighbour to the right, and each and the one below; 0 beyond
 * the borders.
 */
export interface Neighbours {
  right: Float32Array
  below: Float32Array
}

/** Lengths of the steps from pixel to pixel. */
export interface Steps extends Neighbours {
  width: number
  height: number
}

/** Asks `between` about all pairs of neighbours, by their indices. */
function eachNeighbours(
  { width, height }: { width: number; height: number },
  between: (i: number, j: number) => number,
): Neighbours {
  const right = new Float32Array(width * height)
  const below = new Float32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x + 1 < width) right[i] = between(i, i + 1)
      if (y + 1 < height) below[i] = between(i, i + width)
    }
  }
  return { right, below }
}

/** How long each step over a picture is; lightness and labels 0 to 1, of one size. */
export function stepsOver(
  { width, height, data }: Plane,
  labels: readonly Plane[],
  { step, edge, grain, label }: StepCosts,
): Steps {
  const cost = (i: number, j: number) => {
    let sum = step + edge * Math.max(0, Math.abs((data[i] as number) - (data[j] as number)) - grain)
    for (const { data: own } of labels) sum += label * Math.abs((own[i] as number) - (own[j] as number))
    return sum
  }
  return { width, height, ...eachNeighbours({ width, height }, cost) }
}

/**
 * Shortest ways from where `distance` is 0 to all other pixels, in place: raster scans in four
 * directions (Toivanen 1996).
 */
export function geodesicDistance({ width, height, right, below }: Steps, distance: Float32Array): void {
  const relax = (i: number, j: number, cost: number) => {
    const way = (distance[j] as number) + cost
    if (way < (distance[i] as number)) distance[i] = way
  }
  for (let round = 0; round < 3; round++) {
    for (let y = 0; y < height; y++) {
      const [first, last] = [y * width, (y + 1) * width - 1]
      if (y > 0) for (let i = first; i <= last; i++) relax(i, i - width, below[i - width] as number)
      for (let i = first + 1; i <= last; i++) relax(i, i - 1, right[i - 1] as number)
      for (let i = last - 1; i >= first; i--) relax(i, i + 1, right[i] as number)
    }
    for (let y = height - 1; y >= 0; y--) {
      const [first, last] = [y * width, (y + 1) * width - 1]
      if (y + 1 < height) for (let i = first; i <= last; i++) relax(i, i + width, below[i] as number)
      for (let i = last - 1; i >= first; i--) relax(i, i + 1, right[i] as number)
      for (let i = first + 1; i <= last; i++) relax(i, i - 1, right[i - 1] as number)
    }
  }
}
