import type { Plane } from '../picture.ts'
import { boxBlur, createPlane, resizeSmooth, sampling, shrink } from '../plane.ts'

/** What is known of a colour before it is spread: its value, and how firmly each pixel holds to it, 0 not at all. */
export interface Belief {
  value: Plane
  weight: Plane
}

/** The least difference in lightness (0 to 1) at which two pixels part; in rough places it is as large as differences usually are there. */
const parting = 0.03
/** Variance of the roughest surface; beyond it lies an edge. */
const roughest = 0.004
const sweeps = 18
const smallest = 24
const relaxation = 1.75

/**
 * Spreads colours between pixels of alike lightness and stops them at edges: the quadratic energy of Levin, Lischinski and Weiss (2004) with
 * symmetric weights over four neighbours and a data term of each pixel's own strength. Solved from coarse to fine (cascadic multigrid, Bornemann and
 * Deuflhard 1996) with successive over-relaxation. Lightness 0 to 1; all planes of one size.
 */
export function spreadColours(lightness: Plane, beliefs: readonly Belief[]): Plane[] {
  const { width, height } = lightness
  const small = Math.min(width, height) <= smallest
  const starts = small
    ? beliefs.map(({ value, weight }) => createPlane(width, height, meanOf(value, weight)))
    : coarser(lightness, beliefs).map((plane) => resizeSmooth(plane, width, height))
  const [across, down] = linksOf(lightness)
  for (const [i, belief] of beliefs.entries()) {
    relax(starts[i] as Plane, belief, across, down, small ? 4 * sweeps : sweeps)
  }
  return starts
}

function coarser(lightness: Plane, beliefs: readonly Belief[]): Plane[] {
  const [width, height] = [Math.ceil(lightness.width / 2), Math.ceil(lightness.height / 2)]
  return spreadColours(
    shrink(lightness, width, height),
    beliefs.map(({ value, weight }) => {
      const product = createPlane(value.width, value.height)
      for (let i = 0; i < product.data.length; i++)
        product.data[i] = (value.data[i] as number) * (weight.data[i] as number)
      const [sum, weights] = [shrink(product, width, height), shrink(weight, width, height)]
      for (let i = 0; i < sum.data.length; i++) {
        const share = weights.data[i] as number
        sum.data[i] = share > 1e-9 ? (sum.data[i] as number) / share : 0
        // A coarse pixel stands for four, its links for two each.
        weights.data[i] = 4 * share
      }
      return { value: sum, weight: weights }
    }),
  )
}

function meanOf(value: Plane, weight: Plane): number {
  let [sum, all] = [0, 1e-9]
  for (let i = 0; i < value.data.length; i++) {
    sum += (value.data[i] as number) * (weight.data[i] as number)
    all += weight.data[i] as number
  }
  return sum / all
}

/** How strongly each pixel is tied to its right and to its lower neighbour. */
function linksOf(lightness: Plane): [Float32Array, Float32Array] {
  const { width, height, data } = lightness
  const across = new Float32Array(data.length)
  const down = new Float32Array(data.length)
  const variance = localVariance(lightness)
  const alike = (i: number, j: number) => {
    const away = (data[i] as number) - (data[j] as number)
    const usual = parting * parting + 0.6 * ((variance[i] as number) + (variance[j] as number)) * 0.5
    return Math.exp((-0.5 * away * away) / usual) + 0.0001
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x + 1 < width) across[i] = alike(i, i + 1)
      if (y + 1 < height) down[i] = alike(i, i + width)
    }
  }
  return [across, down]
}

function localVariance(plane: Plane): Float32Array {
  const squares = createPlane(plane.width, plane.height)
  for (let i = 0; i < squares.data.length; i++) squares.data[i] = (plane.data[i] as number) ** 2
  const [mean, square] = [boxBlur(plane, 1), boxBlur(squares, 1)]
  return square.data.map((value, i) => Math.min(roughest, Math.max(0, value - (mean.data[i] as number) ** 2)))
}

function relax(plane: Plane, { value, weight }: Belief, across: Float32Array, down: Float32Array, count: number): void {
  const { width, height, data } = plane
  for (let sweep = 0; sweep < count; sweep++) {
    // Forwards and backwards by turns.
    const back = sweep % 2 === 1
    for (let row = 0; row < height; row++) {
      const y = back ? height - 1 - row : row
      for (let column = 0; column < width; column++) {
        const x = back ? width - 1 - column : column
        const i = y * width + x
        const own = weight.data[i] as number
        let sum = own * (value.data[i] as number)
        let all = own
        if (x > 0) {
          const link = across[i - 1] as number
          sum += link * (data[i - 1] as number)
          all += link
        }
        if (x + 1 < width) {
          const link = across[i] as number
          sum += link * (data[i + 1] as number)
          all += link
        }
        if (y > 0) {
          const link = down[i - width] as number
          sum += link * (data[i - width] as number)
          all += link
        }
        if (y + 1 < height) {
          const link = down[i] as number
          sum += link * (data[i + width] as number)
          all += link
        }
        const now = data[i] as number
        data[i] = now + relaxation * (sum / all - now)
      }
    }
  }
}

/** How much a small pixel counts for a large one, by the difference of their lightness in hundredths. */
const likeness = Float32Array.from({ length: 101 }, (_, away) => Math.exp(-0.5 * (away / 6) ** 2) + 1e-3)

/**
 * Enlarges colour planes of one size along the edges of a larger lightness plane (joint bilateral upsampling, Kopf et al. 2007); `small` is the lightness
 * that they belong to.
 */
export function enlargeAlong([a, b]: readonly [Plane, Plane], small: Plane, large: Plane): [Plane, Plane] {
  const { width, height } = large
  const out: [Plane, Plane] = [createPlane(width, height), createPlane(width, height)]
  const columns = sampling(small.width, width)
  const rows = sampling(small.height, height)
  const right = small.width > 1 ? 1 : 0
  const below = small.height > 1 ? small.width : 0
  for (let y = 0, i = 0; y < height; y++) {
    const top = (rows.index[y] as number) * small.width
    const v = rows.weight[y] as number
    for (let x = 0; x < width; x++, i++) {
      const at = top + (columns.index[x] as number)
      const u = columns.weight[x] as number
      const here = large.data[i] as number
      let [red, yellow, all] = [0, 0, 0]
      for (let k = 0; k < 4; k++) {
        const j = at + (k & 1 ? right : 0) + (k & 2 ? below : 0)
        const away = Math.min(100, Math.round(100 * Math.abs((small.data[j] as number) - here)))
        const share = (k & 1 ? u : 1 - u) * (k & 2 ? v : 1 - v) * (likeness[away] as number)
        red += share * (a.data[j] as number)
        yellow += share * (b.data[j] as number)
        all += share
      }
      out[0].data[i] = red / all
      out[1].data[i] = yellow / all
    }
  }
  return out
}
