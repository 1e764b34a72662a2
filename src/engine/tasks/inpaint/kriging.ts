import { widen } from '#engine/image/morphology.ts'
import { channels, type Level, reach } from './level.ts'

/** Known pixels, at most, that values are foretold from. */
const maxPoints = 300
/** Pairs of pixels, at least, that say how unlike pixels at one distance are. */
const minPairs = 50
/** Added to the variance of single pixels, so that no value is followed to the letter. */
const tolerance = 0.05
/** What is tried, the ranges in pixels. */
const nuggets = [0, 0.05, 0.15, 0.3]
const layerings = [0, 0.2, 0.4, 0.6, 0.8]
const ranges = [2, 3, 4.5, 7, 10, 15, 22, 35, 60, 120, 300]
const lengths = [60, 200, 1000]

/**
 * How alike pixels at a distance are, as shares of the variance: what single pixels have for
 * themselves, what fades with distance in every direction, and layers above each other, as sky,
 * shore and water, that go on along rows.
 */
interface Covariance {
  nugget: number
  layering: number
  range: number
  /** How thick and how long the layers are. */
  thickness: number
  length: number
}

/**
 * Foretells values inside a hole from known ones near and far (ordinary kriging, Matheron 1963),
 * with the covariance that the picture shows along its rows and columns: `count` values for every
 * pixel of `inside`. `values` holds as many for every pixel of the level; the hole's are not read.
 */
export function krige(level: Level, values: Float32Array, count: number, inside: Int32Array): Float32Array {
  const { width, height } = level
  const model = fitCovariance(level)
  const table = tabulate(model, width, height)
  const points = choosePoints(level)
  const size = points.length
  const columns = points.map((i) => i % width)
  const rows = points.map((i) => (i / width) | 0)
  const toPoints = (i: number, out: Float64Array): void => {
    const [x, y] = [i % width, (i / width) | 0]
    for (let p = 0; p < size; p++) {
      out[p] = table[Math.abs((rows[p] as number) - y) * width + Math.abs((columns[p] as number) - x)] as number
    }
  }
  const factor = new Float64Array(size ** 2)
  for (let p = 0; p < size; p++) {
    toPoints(points[p] as number, factor.subarray(p * size, (p + 1) * size))
    factor[p * size + p] = 1 + tolerance
  }
  factorize(factor, size)
  const ones = solve(factor, new Float64Array(size).fill(1))
  const whole = ones.reduce((sum, value) => sum + value, 0)
  const weights = new Float64Array(count * size)
  const means = new Float64Array(count)
  for (let c = 0; c < count; c++) {
    const own = weights.subarray(c * size, (c + 1) * size)
    for (let p = 0; p < size; p++) own[p] = values[count * (points[p] as number) + c] as number
    solve(factor, own)
    const mean = own.reduce((sum, value) => sum + value, 0) / whole
    for (let p = 0; p < size; p++) own[p] = (own[p] as number) - mean * (ones[p] as number)
    means[c] = mean
  }
  const near = new Float64Array(size)
  const out = new Float32Array(inside.length * count)
  for (let n = 0; n < inside.length; n++) {
    toPoints(inside[n] as number, near)
    for (let c = 0; c < count; c++) {
      let sum = means[c] as number
      const start = c * size
      for (let p = 0; p < size; p++) sum += (near[p] as number) * (weights[start + p] as number)
      out[count * n + c] = sum
    }
  }
  return out
}

/** All known pixels beside the hole, and the fewer the farther from it. */
function choosePoints({ width, height, hole, deepest }: Level): Int32Array {
  const steps = [1, 2, 3, 5]
  const rings = [1, 3, 8, 2 * deepest].map((radius) => widen(hole, width, height, radius))
  const found: number[] = []
  for (const [n, step] of [...steps, 8].entries()) {
    for (let y = reach; y < height - reach; y++) {
      for (let x = reach; x < width - reach; x++) {
        const i = y * width + x
        if (hole[i] === 1 || rings[n]?.[i] === 0 || rings[n - 1]?.[i] === 1) continue
        if (x % step === 0 && y % step === 0) found.push(i)
      }
    }
  }
  const thinned = Math.max(1, found.length / maxPoints)
  return Int32Array.from({ length: found.length / thinned }, (_, n) => found[Math.floor(n * thinned)] as number)
}

/** Half the mean squared difference of known pixels so many rows, or columns, apart, as shares. */
function variogram({ width, height, pixels, hole, deepest }: Level, down: boolean, variance: number): number[] {
  const found = [0]
  const farthest = Math.min(3 * deepest, 0.7 * ((down ? height : width) - 2 * reach))
  for (let away = 1; away < farthest; away++) {
    const shift = away * (down ? width : 1)
    let sum = 0
    let count = 0
    for (let y = reach; y < height - reach - (down ? away : 0); y++) {
      for (let i = y * width + reach; i < (y + 1) * width - reach - (down ? 0 : away); i++) {
        if (hole[i] === 1 || hole[i + shift] === 1) continue
        for (let k = channels * i; k < channels * i + 3; k++) {
          sum += ((pixels[k] as number) - (pixels[k + channels * shift] as number)) ** 2
        }
        count++
      }
    }
    if (count < minPairs) break
    found.push(sum / (2 * count * variance))
  }
  return found
}

/** Sum over red, green and blue. */
function varianceOf({ pixels, hole }: Level): number {
  const sums = [0, 0, 0]
  let squares = 0
  let count = 0
  for (let i = 0; i < hole.length; i++) {
    if (hole[i] === 1) continue
    for (let c = 0; c < 3; c++) {
      const value = pixels[channels * i + c] as number
      sums[c] = (sums[c] as number) + value
      squares += value * value
    }
    count++
  }
  return Math.max(1, squares / count - sums.reduce((sum, value) => sum + (value / count) ** 2, 0))
}

function fitCovariance(level: Level): Covariance {
  const variance = varianceOf(level)
  const [along, down] = [variogram(level, false, variance), variogram(level, true, variance)]
  const farthest = Math.max(along.length, down.length)
  const fade = new Map(
    [...ranges, ...lengths].map((range) => [
      range,
      Float64Array.from({ length: farthest }, (_, away) => Math.exp(-away / range)),
    ]),
  )
  const misfit = (found: number[], own: number, range: number, layering: number, layer: number): number => {
    const [close, far] = [fade.get(range) as Float64Array, fade.get(layer) as Float64Array]
    let sum = 0
    for (let away = 1; away < found.length; away++) {
      const expected = 1 - own * (close[away] as number) - layering * (far[away] as number)
      sum += ((found[away] as number) - expected) ** 2 / away
    }
    return sum
  }
  let best: Covariance | undefined
  let least = Number.POSITIVE_INFINITY
  for (const nugget of nuggets) {
    for (const layering of layerings) {
      const own = 1 - nugget - layering
      if (own < 0) continue
      for (const range of ranges) {
        for (const thickness of layering > 0 ? ranges : [range]) {
          const below = misfit(down, own, range, layering, thickness)
          if (below >= least) continue
          for (const length of layering > 0 ? lengths : [range]) {
            const sum = below + misfit(along, own, range, layering, length)
            if (sum >= least) continue
            least = sum
            best = { nugget, layering, range, thickness, length }
          }
        }
      }
    }
  }
  return best as Covariance
}

/** The covariance for every number of columns, in a row, and of rows apart. */
function tabulate(model: Covariance, width: number, height: number): Float32Array {
  const { nugget, layering, range, thickness, length } = model
  const table = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const layer = layering > 0 ? layering * Math.exp(-Math.hypot(y / thickness, x / length)) : 0
      table[y * width + x] = (1 - nugget - layering) * Math.exp(-Math.hypot(x, y) / range) + layer
    }
  }
  return table
}

/** The lower triangle of a symmetric matrix becomes its Cholesky factor. In place. */
function factorize(matrix: Float64Array, size: number): void {
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = matrix[r * size + c] as number
      for (let k = 0; k < c; k++) sum -= (matrix[r * size + k] as number) * (matrix[c * size + k] as number)
      matrix[r * size + c] = r === c ? Math.sqrt(Math.max(sum, 1e-9)) : sum / (matrix[c * size + c] as number)
    }
  }
}

/** Solves with a Cholesky factor; `right` becomes the solution. */
function solve(factor: Float64Array, right: Float64Array): Float64Array {
  const size = right.length
  for (let r = 0; r < size; r++) {
    let sum = right[r] as number
    for (let k = 0; k < r; k++) sum -= (factor[r * size + k] as number) * (right[k] as number)
    right[r] = sum / (factor[r * size + r] as number)
  }
  for (let r = size - 1; r >= 0; r--) {
    const value = (right[r] as number) / (factor[r * size + r] as number)
    right[r] = value
    for (let k = 0; k < r; k++) right[k] = (right[k] as number) - (factor[r * size + k] as number) * value
  }
  return right
}
