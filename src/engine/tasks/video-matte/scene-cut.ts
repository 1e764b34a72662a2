import type { Picture } from '#engine/image/picture.ts'
import { foundAgain, type Motion } from './motion.ts'

const bins = 32
/**
 * A new scene has other colours (this share of the pixels lies in other bins) and is not the old
 * one moved (fewer blocks than this are found again).
 */
const limits = { colours: 0.3, found: 0.85, error: 12 }

/** How many pixels have each brightness and colour, as shares; channels one after the other. */
export function colourHistogram({ data }: Picture): Float32Array {
  const out = new Float32Array(3 * bins)
  const share = 4 / data.length
  for (let i = 0; i < data.length; i += 4) {
    const y = (data[i] as number) >> 3
    const u = bins + ((data[i + 1] as number) >> 3)
    const v = 2 * bins + ((data[i + 2] as number) >> 3)
    out[y] = (out[y] as number) + share
    out[u] = (out[u] as number) + share
    out[v] = (out[v] as number) + share
  }
  return out
}

/**
 * Whether a frame begins a new scene, by the histograms of both frames and the motion between them.
 */
export function isSceneCut(before: Float32Array, now: Float32Array, motion: Motion): boolean {
  let largest = 0
  for (let channel = 0; channel < 3; channel++) {
    let moved = 0
    for (let i = channel * bins; i < (channel + 1) * bins; i++) {
      moved += Math.abs((now[i] as number) - (before[i] as number)) / 2
    }
    largest = Math.max(largest, moved)
  }
  return largest > limits.colours && foundAgain(motion, limits.error) < limits.found
}
