import { floats, inArena, unclearedFloats, unclearedInts } from '#engine/image/arena.ts'
import { widen } from '#engine/image/morphology.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'

/**
 * Weights a pixel: its own, and its links to the twelve pixels to the right of it and below that
 * share a 3×3 window with it.
 */
const links = 13

export interface ClosedFormOptions {
  /** Regularises the colour covariance of a window; colours run from 0 to 1. */
  epsilon?: number
  /**
   * How much a guess of 0 … 1 holds an unknown pixel, a value a pixel; 0 leaves it to its
   * neighbours.
   */
  trust: Plane
  iterations?: number
}

/** The equations of the unknown pixels, by their order: Σ weights · alpha = right. */
interface Equations {
  /** The unknown pixels in raster order. */
  places: Int32Array
  /** Order of a pixel among the unknown ones, −1 for the others. */
  ids: Int32Array
  /** Thirteen weights an unknown pixel, itself first. */
  weights: Float32Array
  /**
   * Which unknown pixel each weight belongs to; one more than there are where it belongs to none.
   */
  partners: Int32Array
  /** One an unknown pixel. */
  right: Float32Array
}

/**
 * Closed-form matting (Levin, Lischinski and Weiss 2008) of the unknown pixels only, by conjugate
 * gradients with a Jacobi preconditioner. `guess` holds the true alpha where `unknown` is 0 and a
 * guess where it is 1; it is solved in place and limited to 0…1.
 */
export function solveClosedForm(picture: Picture, guess: Plane, unknown: Uint8Array, options: ClosedFormOptions): void {
  inArena(() => solve(picture, guess, unknown, options))
}

function solve(picture: Picture, guess: Plane, unknown: Uint8Array, options: ClosedFormOptions): void {
  const { places, ids } = placesOf(unknown)
  const count = places.length
  if (count === 0) return
  const equations: Equations = {
    places,
    ids,
    weights: floats(count * links),
    partners: partnersOf(places, ids, picture.width),
    right: floats(count),
  }
  addWindows(equations, picture, guess, unknown, options.epsilon ?? 1e-5)
  const x = floats(count + 1)
  for (let id = 0; id < count; id++) {
    const place = places[id] as number
    const trust = options.trust.data[place] as number
    const value = guess.data[place] as number
    x[id] = value
    equations.right[id] = (equations.right[id] as number) + trust * value
    equations.weights[id * links] = (equations.weights[id * links] as number) + trust + 1e-6
  }
  conjugateGradients(equations, x, options.iterations ?? 30)
  for (let id = 0; id < count; id++) guess.data[places[id] as number] = Math.min(Math.max(x[id] as number, 0), 1)
}

function placesOf(unknown: Uint8Array): { places: Int32Array; ids: Int32Array } {
  const ids = unclearedInts(unknown.length).fill(-1)
  let count = 0
  for (let i = 0; i < unknown.length; i++) if (unknown[i] === 1) ids[i] = count++
  const places = unclearedInts(count)
  for (let i = 0; i < ids.length; i++) if ((ids[i] as number) >= 0) places[ids[i] as number] = i
  return { places, ids }
}

function partnersOf(places: Int32Array, ids: Int32Array, width: number): Int32Array {
  const count = places.length
  const partners = unclearedInts(count * links)
  for (let id = 0, at = 0; id < count; id++) {
    const place = places[id] as number
    for (let k = 0; k < links; k++, at++) {
      const partner = ids[place + (k < 3 ? k : k < 8 ? width + k - 5 : 2 * width + k - 10)]
      partners[at] = partner === undefined || partner < 0 ? count : partner
    }
  }
  return partners
}

/** Adds the matting Laplacian of every 3×3 window that holds an unknown pixel. */
function addWindows(equations: Equations, picture: Picture, guess: Plane, unknown: Uint8Array, epsilon: number): void {
  const { width, height, data } = picture
  const touched = widen(unknown, width, height, 1)
  const colours = new Float64Array(27)
  const slopes = new Float64Array(27)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const centre = y * width + x
      if (touched[centre] === 0) continue
      for (let k = 0, row = centre - width - 1; k < 27; row += width) {
        for (let at = 4 * row; at < 4 * row + 12; at += 4, k += 3) {
          colours[k] = (data[at] as number) / 255
          colours[k + 1] = (data[at + 1] as number) / 255
          colours[k + 2] = (data[at + 2] as number) / 255
        }
      }
      invertWindow(colours, slopes, epsilon / 9)
      addPairs(equations, guess, centre, width, colours, slopes)
    }
  }
}

/**
 * Takes the mean off a window's nine colours and multiplies them by the inverse of their
 * regularised covariance.
 */
function invertWindow(colours: Float64Array, slopes: Float64Array, ridge: number): void {
  let meanR = 0
  let meanG = 0
  let meanB = 0
  for (let k = 0; k < 27; k += 3) {
    meanR += colours[k] as number
    meanG += colours[k + 1] as number
    meanB += colours[k + 2] as number
  }
  meanR /= 9
  meanG /= 9
  meanB /= 9
  let a11 = 0
  let a12 = 0
  let a13 = 0
  let a22 = 0
  let a23 = 0
  let a33 = 0
  for (let k = 0; k < 27; k += 3) {
    const r = (colours[k] as number) - meanR
    const g = (colours[k + 1] as number) - meanG
    const b = (colours[k + 2] as number) - meanB
    colours[k] = r
    colours[k + 1] = g
    colours[k + 2] = b
    a11 += r * r
    a12 += r * g
    a13 += r * b
    a22 += g * g
    a23 += g * b
    a33 += b * b
  }
  a11 = a11 / 9 + ridge
  a12 /= 9
  a13 /= 9
  a22 = a22 / 9 + ridge
  a23 /= 9
  a33 = a33 / 9 + ridge
  const i11 = a22 * a33 - a23 * a23
  const i12 = a13 * a23 - a12 * a33
  const i13 = a12 * a23 - a13 * a22
  const i22 = a11 * a33 - a13 * a13
  const i23 = a12 * a13 - a11 * a23
  const i33 = a11 * a22 - a12 * a12
  const scale = 1 / (a11 * i11 + a12 * i12 + a13 * i13)
  for (let k = 0; k < 27; k += 3) {
    const r = (colours[k] as number) * scale
    const g = (colours[k + 1] as number) * scale
    const b = (colours[k + 2] as number) * scale
    slopes[k] = i11 * r + i12 * g + i13 * b
    slopes[k + 1] = i12 * r + i22 * g + i23 * b
    slopes[k + 2] = i13 * r + i23 * g + i33 * b
  }
}

/**
 * Adds a window's affinities to the equations of its unknown pixels; those with known pixels go to
 * the right side.
 */
function addPairs(
  { ids, weights, right }: Equations,
  guess: Plane,
  centre: number,
  width: number,
  colours: Float64Array,
  slopes: Float64Array,
): void {
  for (let k = 0; k < 9; k++)
    nine[k] = ids[centre + (placeDown[k] as number) * width + (placeAcross[k] as number)] as number
  for (let p = 0; p < 9; p++) {
    const own = nine[p] as number
    const vr = slopes[3 * p] as number
    const vg = slopes[3 * p + 1] as number
    const vb = slopes[3 * p + 2] as number
    for (let q = p; q < 9; q++) {
      const other = nine[q] as number
      if (own < 0 && other < 0) continue
      const alike = vr * (colours[3 * q] as number) + vg * (colours[3 * q + 1] as number)
      const affinity = (1 + alike + vb * (colours[3 * q + 2] as number)) / 9
      if (p === q) weights[own * links] = (weights[own * links] as number) + 1 - affinity
      else if (own < 0 || other < 0) {
        const known = own < 0 ? p : q
        const place = centre + (placeDown[known] as number) * width + (placeAcross[known] as number)
        const unknown = own < 0 ? other : own
        right[unknown] = (right[unknown] as number) + affinity * (guess.data[place] as number)
      } else {
        const at = own * links + (linkOf[q] as number) - (linkOf[p] as number)
        weights[at] = (weights[at] as number) - affinity
      }
    }
  }
}

/** Where the nine pixels of a window lie, seen from its centre. */
const placeDown = Int32Array.of(-1, -1, -1, 0, 0, 0, 1, 1, 1)
const placeAcross = Int32Array.of(-1, 0, 1, -1, 0, 1, -1, 0, 1)
/** The difference of two is the number of the link between these pixels. */
const linkOf = placeDown.map((down, k) => 5 * down + (placeAcross[k] as number))
/** Orders of a window's nine pixels among the unknown ones. */
const nine = new Int32Array(9)

function conjugateGradients(equations: Equations, x: Float32Array, iterations: number): void {
  const { weights, right } = equations
  const count = right.length
  const residual = unclearedFloats(count)
  const direction = floats(count + 1)
  const image = unclearedFloats(count + 1)
  multiply(equations, x, image)
  let rho = 0
  for (let id = 0; id < count; id++) {
    const r = (right[id] as number) - (image[id] as number)
    const z = r / (weights[id * links] as number)
    residual[id] = r
    direction[id] = z
    rho += r * z
  }
  const start = rho
  for (let step = 0; step < iterations && rho > start * 1e-6 && rho > 1e-12; step++) {
    multiply(equations, direction, image)
    let curvature = 0
    for (let id = 0; id < count; id++) curvature += (direction[id] as number) * (image[id] as number)
    if (curvature <= 0) return
    const length = rho / curvature
    let next = 0
    for (let id = 0; id < count; id++) {
      x[id] = (x[id] as number) + length * (direction[id] as number)
      const r = (residual[id] as number) - length * (image[id] as number)
      residual[id] = r
      next += (r * r) / (weights[id * links] as number)
    }
    const turn = next / rho
    rho = next
    for (let id = 0; id < count; id++) {
      direction[id] = (residual[id] as number) / (weights[id * links] as number) + turn * (direction[id] as number)
    }
  }
}

/**
 * The left sides for values `x`, one an unknown pixel; every link counts in both directions. The
 * value behind the last is 0 and means nothing.
 */
function multiply({ weights, partners, right }: Equations, x: Float32Array, out: Float32Array): void {
  out.fill(0)
  const count = right.length
  for (let id = 0, at = 0; id < count; id++, at += links) {
    const own = x[id] as number
    let sum = (weights[at] as number) * own
    for (let k = at + 1; k < at + links; k++) {
      const other = partners[k] as number
      const weight = weights[k] as number
      sum += weight * (x[other] as number)
      out[other] = (out[other] as number) + weight * own
    }
    out[id] = (out[id] as number) + sum
  }
}
