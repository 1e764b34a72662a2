import { createPlane, type Plane } from '#engine/image/picture.ts'

const block = 16
/** Limit of the estimate, because texture exaggerates the grid. */
const largestStep = 0.0175

/**
 * Standard deviation of the noise in a plane, in its units: random noise of the calmest blocks
 * without edges and slopes (Immerkær 1996), plus the steps of JPEG's 8 × 8 grid.
 */
export function estimateNoise(plane: Plane): number {
  return Math.hypot(randomNoise(plane), blockSteps(plane))
}

/** The noise of film and sensor alone. */
export function randomNoise({ width, height, data }: Plane): number {
  const found: number[] = []
  for (let top = 1; top + block < height; top += block) {
    for (let left = 1; left + block < width; left += block) {
      let sum = 0
      let least = 1
      let most = 0
      for (let y = top; y < top + block; y++) {
        for (let i = y * width + left; i < y * width + left + block; i++) {
          const value = data[i] as number
          if (value < least) least = value
          if (value > most) most = value
          const sides = data[i - 1]! + data[i + 1]! + data[i - width]! + data[i + width]!
          const corners = data[i - width - 1]! + data[i - width + 1]! + data[i + width - 1]! + data[i + width + 1]!
          const rough = 4 * value - 2 * sides + corners
          sum += rough * rough
        }
      }
      if (most < 0.98 && least > 0.02) found.push(sum / (block * block * 36))
    }
  }
  if (found.length === 0) return 0
  found.sort((a, b) => a - b)
  const calm = found.slice(0, Math.max(1, Math.floor(found.length / 20)))
  return Math.sqrt(calm.reduce((sum, value) => sum + value, 0) / calm.length)
}

/** Excess of second differences across the grid, as a standard deviation; 0 without a grid. */
function blockSteps({ width, height, data }: Plane): number {
  const across = new Float64Array(8)
  const counts = new Float64Array(8)
  for (let y = 2; y < height - 2; y += 3) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x
      const step = (data[i] as number) - (data[i - 1] as number)
      const slopes = (data[i - 1] as number) - (data[i - 2] as number) + (data[i + 1] as number) - (data[i] as number)
      const change = Math.abs(step - slopes / 2)
      if (change > 0.1) continue
      across[x & 7] = (across[x & 7] as number) + change
      counts[x & 7] = (counts[x & 7] as number) + 1
    }
  }
  const means = Array.from(across, (sum, k) => sum / Math.max(1, counts[k] as number))
  const grid = means[0] as number
  const between = means.slice(1).reduce((sum, value) => sum + value, 0) / 7
  return Math.min(largestStep, Math.max(0, grid - 1.03 * between) * 1.5)
}

const side = 8
/** Coefficients below this many standard deviations count as noise. */
const threshold = 2.5

/**
 * Removes noise, JPEG blocks and ringing by hard thresholds on overlapping 8 × 8 cosine transforms
 * (Yu and Sapiro 2011; shifted re-application against blocks, Nosratinia 2001). `sigma` is in the
 * plane's units; `step` between windows is 1 to 8.
 */
export function denoise(plane: Plane, sigma: number, step = 3): Plane {
  const { width, height, data } = plane
  if (sigma <= 0 || width < side || height < side) return { ...plane, data: data.slice() }
  const sum = new Float32Array(width * height)
  const weight = new Float32Array(width * height)
  const block = new Float64Array(side * side)
  const limit = threshold * sigma
  for (let row = 0; row < height - side + step; row += step) {
    const y = Math.min(row, height - side)
    for (let column = 0; column < width - side + step; column += step) {
      const x = Math.min(column, width - side)
      for (let v = 0, k = 0; v < side; v++) {
        const start = (y + v) * width + x
        for (let u = 0; u < side; u++, k++) block[k] = data[start + u] as number
      }
      for (let k = 0; k < 64; k += 8) dct8InPlace(block, k, 1)
      for (let k = 0; k < 8; k++) dct8InPlace(block, k, 8)
      let kept = 1
      for (let k = 1; k < 64; k++) {
        const value = block[k] as number
        if (value < limit && value > -limit) block[k] = 0
        else kept++
      }
      if (kept === 1) block.fill((block[0] as number) / side)
      else {
        for (let k = 0; k < 8; k++) invert(block, k, 8)
        for (let k = 0; k < 64; k += 8) invert(block, k, 1)
      }
      const share = 1 / kept
      for (let v = 0, k = 0; v < side; v++) {
        const start = (y + v) * width + x
        for (let u = 0; u < side; u++, k++) {
          sum[start + u] = (sum[start + u] as number) + share * (block[k] as number)
          weight[start + u] = (weight[start + u] as number) + share
        }
      }
    }
  }
  const out = createPlane(width, height)
  for (let i = 0; i < sum.length; i++) out.data[i] = (sum[i] as number) / (weight[i] as number)
  return out
}

/** Every second frequency's basis function at the first four samples; the rest is symmetric. */
const halfBasis = (first: 0 | 1) =>
  Float64Array.from({ length: 16 }, (_, i) => {
    const frequency = 2 * (i >> 2) + first
    return (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * (i & 3) + 1) * frequency * Math.PI) / 16)
  })
const transposed = (matrix: Float64Array) => matrix.map((_, i) => matrix[4 * (i & 3) + (i >> 2)] as number)
const [even, odd] = [halfBasis(0), halfBasis(1)]
const [evenTransposed, oddTransposed] = [transposed(even), transposed(odd)]
const [one, other] = [new Float64Array(4), new Float64Array(4)]

const dot = (matrix: Float64Array, at: number, vector: Float64Array): number =>
  matrix[at]! * vector[0]! + matrix[at + 1]! * vector[1]! + matrix[at + 2]! * vector[2]! + matrix[at + 3]! * vector[3]!

function dct8InPlace(values: Float64Array, start: number, step: number): void {
  for (let k = 0, a = start, b = start + 7 * step; k < 4; k++, a += step, b -= step) {
    one[k] = values[a]! + values[b]!
    other[k] = values[a]! - values[b]!
  }
  for (let k = 0, a = start; k < 16; k += 4, a += 2 * step) {
    values[a] = dot(even, k, one)
    values[a + step] = dot(odd, k, other)
  }
}

function invert(values: Float64Array, start: number, step: number): void {
  for (let k = 0, a = start; k < 4; k++, a += 2 * step) {
    one[k] = values[a]!
    other[k] = values[a + step]!
  }
  for (let k = 0, a = start, b = start + 7 * step; k < 16; k += 4, a += step, b -= step) {
    const mirrored = dot(evenTransposed, k, one)
    const opposed = dot(oddTransposed, k, other)
    values[a] = mirrored + opposed
    values[b] = mirrored - opposed
  }
}
