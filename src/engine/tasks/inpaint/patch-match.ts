import { channels, type PyramidLevel, patchRadius } from './pyramid.ts'

const rowBytes = (2 * patchRadius + 1) * channels

/** Centre of the matching patch, or −1, and the sum of squared differences. */
export interface Matches {
  centre: Int32Array
  difference: Int32Array
}

function createMatches({ width, height }: PyramidLevel): Matches {
  return { centre: new Int32Array(width * height).fill(-1), difference: new Int32Array(width * height) }
}

export function randomMatches(level: PyramidLevel, random: (limit: number) => number): Matches {
  const matches = createMatches(level)
  for (const i of level.targets) matches.centre[i] = anySource(level.source, random)
  return matches
}

/** Sum of squared differences of two patches; stops once it reaches `limit`. */
export function patchDifference(pixels: Uint8Array, width: number, a: number, b: number, limit: number): number {
  const step = width * channels
  let i = (a - patchRadius * width - patchRadius) * channels
  let j = (b - patchRadius * width - patchRadius) * channels
  let sum = 0
  for (let row = 0; row <= 2 * patchRadius; row++) {
    for (let k = 0; k < rowBytes; k += 4) {
      const red = (pixels[i + k] as number) - (pixels[j + k] as number)
      const green = (pixels[i + k + 1] as number) - (pixels[j + k + 1] as number)
      const blue = (pixels[i + k + 2] as number) - (pixels[j + k + 2] as number)
      const texture = (pixels[i + k + 3] as number) - (pixels[j + k + 3] as number)
      sum += red * red + green * green + blue * blue + texture * texture
    }
    if (sum >= limit) return sum
    i += step
    j += step
  }
  return sum
}

/** Updates all differences to the current estimate. */
export function updateDifferences(level: PyramidLevel, { centre, difference }: Matches): void {
  const { pixels, width, targets } = level
  for (let k = 0; k < targets.length; k++) {
    const i = targets[k] as number
    difference[i] = patchDifference(pixels, width, i, centre[i] as number, 0x7fffffff)
  }
}

interface Search {
  backwards: boolean
  /** Radius of the window for random candidates; 0 for none. */
  radius: number
  random: (limit: number) => number
}

/**
 * One PatchMatch pass (Barnes et al. 2009): every pixel tries its neighbours' matches, shifted, and
 * random candidates in shrinking windows.
 */
export function improveMatches(level: PyramidLevel, { centre, difference }: Matches, search: Search): void {
  const { pixels, width, height, targets, source } = level
  const { backwards, radius, random } = search
  const side = backwards ? 1 : -1
  let [i, best, least] = [0, 0, 0]
  const tryCandidate = (candidate: number): void => {
    if (source[candidate] !== 1 || candidate === best) return
    const found = patchDifference(pixels, width, i, candidate, least)
    if (found >= least) return
    least = found
    best = candidate
  }
  for (let n = 0; n < targets.length; n++) {
    i = targets[backwards ? targets.length - 1 - n : n] as number
    best = centre[i] as number
    least = difference[i] as number
    const [beside, above] = [centre[i + side] as number, centre[i + side * width] as number]
    if (beside >= 0) tryCandidate(beside - side)
    if (above >= 0) tryCandidate(above - side * width)
    for (let around = radius; around >= 1; around >>= 2) {
      const x = (best % width) + random(2 * around + 1) - around
      const y = ((best / width) | 0) + random(2 * around + 1) - around
      if (x >= 0 && y >= 0 && x < width && y < height) tryCandidate(y * width + x)
    }
    centre[i] = best
    difference[i] = least
  }
}

export function enlargeMatches(
  from: PyramidLevel,
  coarse: Matches,
  to: PyramidLevel,
  random: (limit: number) => number,
): Matches {
  const matches = createMatches(to)
  const { width, height, targets, source } = to
  for (let k = 0; k < targets.length; k++) {
    const i = targets[k] as number
    const x = (i % width) - patchRadius
    const y = ((i / width) | 0) - patchRadius
    const match = coarse.centre[((y >> 1) + patchRadius) * from.width + (x >> 1) + patchRadius] as number
    if (match >= 0) {
      const column = 2 * ((match % from.width) - patchRadius) + (x & 1) + patchRadius
      const row = 2 * (((match / from.width) | 0) - patchRadius) + (y & 1) + patchRadius
      matches.centre[i] = nearestSource(source, width, height, column, row)
    }
    if (matches.centre[i] === -1) matches.centre[i] = anySource(source, random)
  }
  return matches
}

function nearestSource(source: Uint8Array, width: number, height: number, x: number, y: number): number {
  for (let away = 0; away <= 4; away++) {
    for (let v = Math.max(0, y - away); v <= Math.min(height - 1, y + away); v++) {
      for (let u = Math.max(0, x - away); u <= Math.min(width - 1, x + away); u++) {
        if (source[v * width + u] === 1) return v * width + u
      }
    }
  }
  return -1
}

function anySource(source: Uint8Array, random: (limit: number) => number): number {
  const start = random(source.length)
  const after = source.indexOf(1, start)
  return after >= 0 ? after : source.indexOf(1)
}

const noise = 49 * 3 * 8

/**
 * Voting (Wexler, Shechtman and Irani 2007): each pixel becomes the mean proposal of all patches
 * over it, weighted by match and nearness to known pixels.
 */
export function voteColours(level: PyramidLevel, matches: Matches): void {
  const { pixels, width, height, targets, hole } = level
  const weights = patchWeights(level, matches)
  const { centre } = matches
  // Matches only propose known pixels, so results are written at once. A 32-bit load reads all
  // channels, the first in the lowest byte.
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height)
  for (let n = 0; n < targets.length; n++) {
    const i = targets[n] as number
    if (hole[i] === 0) continue
    let red = 0
    let green = 0
    let blue = 0
    let texture = 0
    let total = 0
    for (let v = -patchRadius; v <= patchRadius; v++) {
      for (let u = -patchRadius; u <= patchRadius; u++) {
        const shift = v * width + u
        const match = centre[i + shift] as number
        if (match < 0) continue
        const weight = weights[i + shift] as number
        const proposed = words[match - shift] as number
        red += weight * (proposed & 255)
        green += weight * ((proposed >>> 8) & 255)
        blue += weight * ((proposed >>> 16) & 255)
        texture += weight * (proposed >>> 24)
        total += weight
      }
    }
    const scale = 1 / total
    pixels[channels * i] = red * scale + 0.5
    pixels[channels * i + 1] = green * scale + 0.5
    pixels[channels * i + 2] = blue * scale + 0.5
    pixels[channels * i + 3] = texture * scale + 0.5
  }
}

/** Weight of the patch around each target, 0 elsewhere. */
export function patchWeights(level: PyramidLevel, { difference }: Matches): Float32Array {
  const { width, height, targets, depth, deepest } = level
  const weights = new Float32Array(width * height)
  const closeness = Float32Array.from({ length: deepest + 1 }, (_, away) => Math.max(1.25 ** -away, 1e-4))
  for (let n = 0; n < targets.length; n++) {
    const i = targets[n] as number
    const misfit = ((difference[i] as number) + noise) / noise
    weights[i] = (closeness[depth[i] as number] as number) / misfit
  }
  return weights
}

/** Weighted proposal of all matches over one pixel: red, green and blue, 0 to 255. */
export function proposedColour(
  { pixels, width }: PyramidLevel,
  { centre }: Matches,
  weights: Float32Array,
  index: number,
  out: Float64Array,
): void {
  let total = 0
  out.fill(0)
  for (let v = -patchRadius; v <= patchRadius; v++) {
    for (let u = -patchRadius; u <= patchRadius; u++) {
      const shift = v * width + u
      const match = centre[index + shift]
      if (match === undefined || match < 0) continue
      const weight = weights[index + shift] as number
      total += weight
      for (let c = 0; c < 3; c++) {
        out[c] = (out[c] as number) + weight * (pixels[channels * (match - shift) + c] as number)
      }
    }
  }
  for (let c = 0; c < 3; c++) out[c] = (out[c] as number) / total
}
