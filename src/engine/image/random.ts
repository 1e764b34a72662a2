import type { Plane } from './picture.ts'
import { createPlane, resizeSmooth } from './plane.ts'

/** Repeatable numbers: whole ones from 0 to limit − 1 (xorshift, Marsaglia 2003). */
export function createRandom(seed: number): (limit: number) => number {
  let state = (seed | 0) ^ 0x9e3779b9 || 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (((state >>> 0) * limit) / 4294967296) | 0
  }
}

/** Pseudo-random numbers from 0 to 1 that depend on nothing but the seed (mulberry32). */
export function randomSequence(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Independent noise for every pixel, −1 to 1. */
export function whiteNoise(width: number, height: number, seed: number): Plane {
  const plane = createPlane(width, height)
  const random = randomSequence(seed)
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = 2 * random() - 1
  return plane
}

/**
 * Smooth noise whose coarsest bumps are `scale` pixels wide, in `octaves` halving steps (Perlin
 * 1985), about −1 to 1.
 */
export function cloudNoise(width: number, height: number, scale: number, octaves: number, seed: number): Plane {
  const sum = createPlane(width, height)
  let weight = 0.5
  for (let octave = 0; octave < octaves; octave++) {
    const step = Math.max(1, scale / 2 ** octave)
    const coarse = whiteNoise(Math.ceil(width / step) + 1, Math.ceil(height / step) + 1, seed + 101 * octave)
    const layer = resizeSmooth(coarse, width, height)
    for (let i = 0; i < sum.data.length; i++) {
      sum.data[i] = (sum.data[i] as number) + 2 * weight * (layer.data[i] as number)
    }
    weight /= 2
  }
  return sum
}
