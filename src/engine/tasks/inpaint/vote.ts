import { channels, type Level, reach } from './level.ts'
import type { Matches } from './matches.ts'

/** Squared difference of two patches that only noise tells apart. */
const noise = 49 * 3 * 8

/**
 * The estimate inside the hole by voting (Wexler, Shechtman and Irani 2007): each pixel becomes the
 * weighted mean of what the matches of all patches over it propose. Patches weigh by how well they
 * match and by how close they are to what is known.
 */
export function vote(level: Level, matches: Matches): void {
  const { pixels, width, height, targets, hole } = level
  const weights = weigh(level, matches)
  const { centre } = matches
  // Matches propose nothing but known pixels, so the estimate may be written at once; one load for
  // each, its first channel in the lowest byte.
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height)
  for (let n = 0; n < targets.length; n++) {
    const i = targets[n] as number
    if (hole[i] === 0) continue
    let red = 0
    let green = 0
    let blue = 0
    let texture = 0
    let total = 0
    for (let v = -reach; v <= reach; v++) {
      for (let u = -reach; u <= reach; u++) {
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
export function weigh(level: Level, { difference }: Matches): Float32Array {
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

/** What the matches of all patches over one pixel propose: red, green and blue, 0 to 255. */
export function proposal(
  { pixels, width }: Level,
  { centre }: Matches,
  weights: Float32Array,
  index: number,
  out: Float64Array,
): void {
  let total = 0
  out.fill(0)
  for (let v = -reach; v <= reach; v++) {
    for (let u = -reach; u <= reach; u++) {
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
