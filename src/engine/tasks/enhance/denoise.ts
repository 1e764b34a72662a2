import { createPlane, type Plane } from '#engine/image/picture.ts'

const block = 16
/** Texture makes the grid look stronger than it is. */
const largestStep = 0.0175

/**
 * Standard deviation of what disturbs a plane, in its units: random noise, from the calmest blocks
 * of the picture after edges and slopes are taken out (Immerkær 1996), and the steps that JPEG
 * leaves along its 8 × 8 grid.
 */
export function estimateNoise(plane: Plane): number {
  return Math.hypot(randomNoise(plane), blockSteps(plane))
}

function randomNoise({ width, height, data }: Plane): number {
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

/**
 * How much larger the second differences across the grid are than those between, as a standard
 * deviation; 0 without a grid.
 */
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
/** Coefficients below this many standard deviations of the noise are taken for noise. */
const threshold = 2.5

/**
 * Takes noise and the blocks and ringing of JPEG out of a plane by hard thresholds on overlapping 8
 * × 8 cosine transforms (Yu and Sapiro 2011; shifted re-application against blocks, Nosratinia
 * 2001). `sigma` is the noise's standard deviation in the plane's units; `step` the distance of the
 * windows, 1 to 8.
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
      for (let k = 0; k < 64; k += 8) transform(block, k, 1)
      for (let k = 0; k < 8; k++) transform(block, k, 8)
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

const cosine = (k: number): number => 0.5 * Math.cos((k * Math.PI) / 16)
const c1 = cosine(1)
const c2 = cosine(2)
const c3 = cosine(3)
const c4 = cosine(4)
const c5 = cosine(5)
const c6 = cosine(6)
const c7 = cosine(7)

/** Orthonormal cosine transform of eight values, in place. */
function transform(values: Float64Array, start: number, step: number): void {
  const a0 = values[start] as number
  const a1 = values[start + step] as number
  const a2 = values[start + 2 * step] as number
  const a3 = values[start + 3 * step] as number
  const a4 = values[start + 4 * step] as number
  const a5 = values[start + 5 * step] as number
  const a6 = values[start + 6 * step] as number
  const a7 = values[start + 7 * step] as number
  const s0 = a0 + a7
  const s1 = a1 + a6
  const s2 = a2 + a5
  const s3 = a3 + a4
  const d0 = a0 - a7
  const d1 = a1 - a6
  const d2 = a2 - a5
  const d3 = a3 - a4
  const e0 = s0 + s3
  const e1 = s1 + s2
  const f0 = s0 - s3
  const f1 = s1 - s2
  values[start] = c4 * (e0 + e1)
  values[start + 4 * step] = c4 * (e0 - e1)
  values[start + 2 * step] = c2 * f0 + c6 * f1
  values[start + 6 * step] = c6 * f0 - c2 * f1
  values[start + step] = c1 * d0 + c3 * d1 + c5 * d2 + c7 * d3
  values[start + 3 * step] = c3 * d0 - c7 * d1 - c1 * d2 - c5 * d3
  values[start + 5 * step] = c5 * d0 - c1 * d1 + c7 * d2 + c3 * d3
  values[start + 7 * step] = c7 * d0 - c5 * d1 + c3 * d2 - c1 * d3
}

/** The inverse of `transform`. */
function invert(values: Float64Array, start: number, step: number): void {
  const x0 = c4 * (values[start] as number)
  const x4 = c4 * (values[start + 4 * step] as number)
  const x1 = values[start + step] as number
  const x2 = values[start + 2 * step] as number
  const x3 = values[start + 3 * step] as number
  const x5 = values[start + 5 * step] as number
  const x6 = values[start + 6 * step] as number
  const x7 = values[start + 7 * step] as number
  const f0 = c2 * x2 + c6 * x6
  const f1 = c6 * x2 - c2 * x6
  const s0 = x0 + x4 + f0
  const s3 = x0 + x4 - f0
  const s1 = x0 - x4 + f1
  const s2 = x0 - x4 - f1
  const d0 = c1 * x1 + c3 * x3 + c5 * x5 + c7 * x7
  const d1 = c3 * x1 - c7 * x3 - c1 * x5 - c5 * x7
  const d2 = c5 * x1 - c1 * x3 + c7 * x5 + c3 * x7
  const d3 = c7 * x1 - c5 * x3 + c3 * x5 - c1 * x7
  values[start] = s0 + d0
  values[start + 7 * step] = s0 - d0
  values[start + step] = s1 + d1
  values[start + 6 * step] = s1 - d1
  values[start + 2 * step] = s2 + d2
  values[start + 5 * step] = s2 - d2
  values[start + 3 * step] = s3 + d3
  values[start + 4 * step] = s3 - d3
}
