import { createPlane, type Plane } from './picture.ts'

/** Seeded random integers from 0 to limit − 1 (xorshift, Marsaglia 2003). */
export function createRandom(seed: number): (limit: number) => number {
  let state = (seed | 0) ^ 0x9e3779b9 || 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (((state >>> 0) * limit) / 4294967296) | 0
  }
}

/** Numbers from 0 to 1; neighbouring seeds give independent sequences. */
export function randomSequence(seed: number): () => number {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ 0x51ed27)
  for (let i = 0; i < 8; i++) random(2)
  return () => random(1 << 24) / (1 << 24)
}

/** Independent noise for every pixel, −1 to 1. */
export function whiteNoise(width: number, height: number, seed: number): Plane {
  const plane = createPlane(width, height)
  const random = randomSequence(seed)
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = 2 * random() - 1
  return plane
}

export interface SeededRandom {
  next(): number
  between(low: number, high: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Gradient noise (Perlin 2002) from −1 to 1 with features of size 1. */
  noise(x: number, y: number): number
  /** Sum of octaves of `noise`, each half as large and half as strong, about −1 to 1. */
  fractal(x: number, y: number, octaves: number): number
  /** A number from 0 to 1 for each pair of integers. */
  cell(x: number, y: number): number
}

export function createSeededRandom(seed: number): SeededRandom {
  const next = randomSequence(seed)
  const order = new Uint8Array(512)
  for (let i = 0; i < 256; i++) order[i] = i
  for (let i = 255; i > 0; i--) {
    const j = Math.floor(next() * (i + 1))
    const held = order[i] as number
    order[i] = order[j] as number
    order[j] = held
  }
  order.copyWithin(256, 0, 256)
  const angles = Float32Array.from(order.subarray(0, 256), (index) => (index / 256) * 2 * Math.PI)
  const [slopeX, slopeY] = [angles.map(Math.cos), angles.map(Math.sin)]
  const corner = (x: number, y: number) => order[(order[x & 255] as number) + (y & 255)] as number

  function noise(x: number, y: number): number {
    const left = Math.floor(x)
    const top = Math.floor(y)
    const [dx, dy] = [x - left, y - top]
    const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10)
    const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10)
    const a = corner(left, top)
    const b = corner(left + 1, top)
    const c = corner(left, top + 1)
    const d = corner(left + 1, top + 1)
    const na = (slopeX[a] as number) * dx + (slopeY[a] as number) * dy
    const nb = (slopeX[b] as number) * (dx - 1) + (slopeY[b] as number) * dy
    const nc = (slopeX[c] as number) * dx + (slopeY[c] as number) * (dy - 1)
    const nd = (slopeX[d] as number) * (dx - 1) + (slopeY[d] as number) * (dy - 1)
    const upper = na + (nb - na) * u
    return 1.5 * (upper + (nc + (nd - nc) * u - upper) * v)
  }

  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
    noise,
    fractal(x, y, octaves) {
      let sum = 0
      let share = 0.5
      let scale = 1
      for (let i = 0; i < octaves; i++) {
        sum += share * noise(x * scale + 17.3 * i, y * scale - 9.1 * i)
        share *= 0.5
        scale *= 2.03
      }
      return sum
    },
    cell: (x, y) => corner(x, y) / 255,
  }
}
