import type { Picture, Plane } from './picture.ts'

const span = 5
const neighbours = span * span
const middle = (neighbours - 1) / 2

export interface ClosedFormOptions {
  /** Regularises the colour covariance of a window; colours run from 0 to 1. */
  epsilon?: number
  /** How much a guess of 0 … 1 holds an unknown pixel, a value a pixel; 0 leaves it to its neighbours. */
  trust: Plane
  iterations?: number
}

/**
 * Closed-form matting (Levin, Lischinski and Weiss 2008) of the unknown pixels only, by conjugate gradients with a Jacobi preconditioner.
 * `guess` holds the true alpha where `unknown` is 0 and a guess where it is 1; it is solved in place and limited to 0…1.
 */
export function solveClosedForm(picture: Picture, guess: Plane, unknown: Uint8Array, options: ClosedFormOptions): void {
  const { width, height } = picture
  const ids = new Int32Array(width * height).fill(-1)
  const places: number[] = []
  for (let i = 0; i < ids.length; i++) {
    if (unknown[i] === 1) {
      ids[i] = places.length
      places.push(i)
    }
  }
  if (places.length === 0) return
  const weights = new Float32Array(places.length * neighbours)
  addWindows(picture, ids, unknown, weights, options.epsilon ?? 1e-5)

  const count = places.length
  // Links out of the band point at one more entry, which stays 0.
  const links = new Int32Array(count * neighbours).fill(count)
  const right = new Float32Array(count)
  const x = new Float32Array(count + 1)
  for (let id = 0; id < count; id++) {
    const place = places[id] as number
    const column = place % width
    const row = (place - column) / width
    const trust = options.trust.data[place] as number
    x[id] = guess.data[place] as number
    right[id] = trust * (guess.data[place] as number)
    const diagonal = id * neighbours + middle
    weights[diagonal] = (weights[diagonal] as number) + trust + 1e-6
    for (let k = 0; k < neighbours; k++) {
      const otherX = column + (k % span) - 2
      const otherY = row + Math.floor(k / span) - 2
      if (otherX < 0 || otherY < 0 || otherX >= width || otherY >= height) continue
      const other = otherY * width + otherX
      const otherId = ids[other] as number
      if (otherId >= 0) links[id * neighbours + k] = otherId
      else right[id] = (right[id] as number) - (weights[id * neighbours + k] as number) * (guess.data[other] as number)
    }
  }
  conjugateGradients(weights, links, right, x, options.iterations ?? 30)
  for (let id = 0; id < count; id++) guess.data[places[id] as number] = Math.min(Math.max(x[id] as number, 0), 1)
}

/** Adds the matting Laplacian of every 3×3 window that holds an unknown pixel to the rows of its unknown pixels. */
function addWindows(
  picture: Picture,
  ids: Int32Array,
  unknown: Uint8Array,
  weights: Float32Array,
  epsilon: number,
): void {
  const { width, height, data } = picture
  const red = new Float64Array(9)
  const green = new Float64Array(9)
  const blue = new Float64Array(9)
  const rows = new Int32Array(9)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      let touched = false
      for (let k = 0; k < 9; k++) {
        const place = (y + Math.floor(k / 3) - 1) * width + x + (k % 3) - 1
        rows[k] = ids[place] as number
        if (unknown[place] === 1) touched = true
      }
      if (!touched) continue
      let meanR = 0
      let meanG = 0
      let meanB = 0
      for (let k = 0; k < 9; k++) {
        const pixel = ((y + Math.floor(k / 3) - 1) * width + x + (k % 3) - 1) * 4
        red[k] = (data[pixel] as number) / 255
        green[k] = (data[pixel + 1] as number) / 255
        blue[k] = (data[pixel + 2] as number) / 255
        meanR += (red[k] as number) / 9
        meanG += (green[k] as number) / 9
        meanB += (blue[k] as number) / 9
      }
      let a11 = epsilon / 9
      let a12 = 0
      let a13 = 0
      let a22 = epsilon / 9
      let a23 = 0
      let a33 = epsilon / 9
      for (let k = 0; k < 9; k++) {
        const r = (red[k] as number) - meanR
        const g = (green[k] as number) - meanG
        const b = (blue[k] as number) - meanB
        red[k] = r
        green[k] = g
        blue[k] = b
        a11 += (r * r) / 9
        a12 += (r * g) / 9
        a13 += (r * b) / 9
        a22 += (g * g) / 9
        a23 += (g * b) / 9
        a33 += (b * b) / 9
      }
      const c11 = a22 * a33 - a23 * a23
      const c12 = a13 * a23 - a12 * a33
      const c13 = a12 * a23 - a13 * a22
      const determinant = a11 * c11 + a12 * c12 + a13 * c13
      const i11 = c11 / determinant
      const i12 = c12 / determinant
      const i13 = c13 / determinant
      const i22 = (a11 * a33 - a13 * a13) / determinant
      const i23 = (a12 * a13 - a11 * a23) / determinant
      const i33 = (a11 * a22 - a12 * a12) / determinant
      for (let p = 0; p < 9; p++) {
        const row = rows[p] as number
        if (row < 0) continue
        const r = red[p] as number
        const g = green[p] as number
        const b = blue[p] as number
        const vr = i11 * r + i12 * g + i13 * b
        const vg = i12 * r + i22 * g + i23 * b
        const vb = i13 * r + i23 * g + i33 * b
        const base = row * neighbours + middle
        for (let q = 0; q < 9; q++) {
          const affinity = (1 + vr * (red[q] as number) + vg * (green[q] as number) + vb * (blue[q] as number)) / 9
          const offset = (Math.floor(q / 3) - Math.floor(p / 3)) * span + (q % 3) - (p % 3)
          weights[base + offset] = (weights[base + offset] as number) + (p === q ? 1 - affinity : -affinity)
        }
      }
    }
  }
}

function conjugateGradients(
  weights: Float32Array,
  links: Int32Array,
  right: Float32Array,
  x: Float32Array,
  iterations: number,
): void {
  const count = right.length
  const residual = new Float32Array(count)
  const scaled = new Float32Array(count)
  const direction = new Float32Array(count + 1)
  const image = new Float32Array(count)
  multiply(weights, links, x, image)
  let rho = 0
  let start = 0
  for (let i = 0; i < count; i++) {
    const r = (right[i] as number) - (image[i] as number)
    const z = r / (weights[i * neighbours + middle] as number)
    residual[i] = r
    scaled[i] = z
    direction[i] = z
    rho += r * z
  }
  start = rho
  for (let step = 0; step < iterations && rho > start * 1e-6 && rho > 1e-12; step++) {
    multiply(weights, links, direction, image)
    let curvature = 0
    for (let i = 0; i < count; i++) curvature += (direction[i] as number) * (image[i] as number)
    if (curvature <= 0) return
    const length = rho / curvature
    let next = 0
    for (let i = 0; i < count; i++) {
      x[i] = (x[i] as number) + length * (direction[i] as number)
      const r = (residual[i] as number) - length * (image[i] as number)
      const z = r / (weights[i * neighbours + middle] as number)
      residual[i] = r
      scaled[i] = z
      next += r * z
    }
    const turn = next / rho
    rho = next
    for (let i = 0; i < count; i++) direction[i] = (scaled[i] as number) + turn * (direction[i] as number)
  }
}

function multiply(weights: Float32Array, links: Int32Array, x: Float32Array, out: Float32Array): void {
  for (let i = 0, k = 0; i < out.length; i++) {
    let sum = 0
    for (const end = k + neighbours; k < end; k++) sum += (weights[k] as number) * (x[links[k] as number] as number)
    out[i] = sum
  }
}
