import { type Level, reach } from './level.ts'

/** The pixels yet to be filled that border on known ones, the most urgent first. */
export interface UrgencyQueue {
  /** Adds a pixel, or gives it another urgency. */
  set(pixel: number, urgency: number): void
  delete(pixel: number): void
  /** The most urgent pixel, of equals the one with the lowest index; −1 where there is none. */
  first(): number
}

/** An indexed binary heap (Williams 1964) of some of `pixels` pixels. */
export function createUrgencyQueue(pixels: number): UrgencyQueue {
  const heap: number[] = []
  const rank = new Int32Array(pixels).fill(-1)
  const urgencies = new Float64Array(pixels)
  const before = (a: number, b: number): boolean => {
    const gap = (urgencies[a] as number) - (urgencies[b] as number)
    return gap > 0 || (gap === 0 && a < b)
  }
  const put = (pixel: number, at: number): void => {
    heap[at] = pixel
    rank[pixel] = at
  }
  /** Moves a pixel to its place, beginning with a free one. */
  const settle = (pixel: number, free: number): void => {
    let at = free
    for (let parent = (at - 1) >> 1; at > 0 && before(pixel, heap[parent] as number); parent = (at - 1) >> 1) {
      put(heap[parent] as number, at)
      at = parent
    }
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && before(heap[child + 1] as number, heap[child] as number)) child++
      if (!before(heap[child] as number, pixel)) break
      put(heap[child] as number, at)
      at = child
    }
    put(pixel, at)
  }
  return {
    set(pixel, urgency) {
      urgencies[pixel] = urgency
      if (rank[pixel] === -1) heap.push(pixel)
      settle(pixel, rank[pixel] === -1 ? heap.length - 1 : (rank[pixel] as number))
    },
    delete(pixel) {
      const at = rank[pixel] as number
      if (at === -1) return
      rank[pixel] = -1
      const last = heap.pop() as number
      if (last !== pixel) settle(last, at)
    },
    first: () => heap[0] ?? -1,
  }
}

/**
 * How sure the surroundings of a pixel are and how strongly their edges run into the hole; −1 where
 * nothing beside it is known.
 */
export function measureUrgency(
  { width, pixels }: Level,
  i: number,
  known: Uint8Array,
  confidence: Float32Array,
): number {
  const grey = (j: number): number =>
    (2 * (pixels[4 * j] as number) + 5 * (pixels[4 * j + 1] as number) + (pixels[4 * j + 2] as number)) / 8
  const left = known[i - 1] as number
  const right = known[i + 1] as number
  const above = known[i - width] as number
  const below = known[i + width] as number
  if (left + right + above + below === 0) return -1
  let sure = 0
  let strongest = 0
  let across = 0
  let down = 0
  for (let v = -reach; v <= reach; v++) {
    for (let u = -reach; u <= reach; u++) {
      const j = i + v * width + u
      sure += confidence[j] as number
      if (!(known[j] && known[j + 1] && known[j - 1] && known[j + width] && known[j - width])) continue
      const dx = grey(j + 1) - grey(j - 1)
      const dy = grey(j + width) - grey(j - width)
      const strength = dx * dx + dy * dy
      if (strength > strongest) {
        strongest = strength
        across = dx
        down = dy
      }
    }
  }
  const nx = right - left
  const ny = below - above
  const length = Math.hypot(nx, ny) || 1
  const flow = Math.abs(nx * -down + ny * across) / (length * 255)
  return (sure / (2 * reach + 1) ** 2) * (flow + 0.02)
}
