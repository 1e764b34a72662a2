/** A picture's pixels as a canvas gives them: RGBA by turns. */
export interface Pixels {
  width: number
  height: number
  data: Uint8ClampedArray
}

/** Longer side at which a tap looks for its region. */
export const regionSide = 256
/** How far a pixel may be from the colours around the tap, and how large a step between neighbours counts as an edge. */
const limits = { colour: 38, edge: 20 }

const difference = (data: Uint8ClampedArray, a: number, r: number, g: number, b: number) =>
  Math.hypot((data[a] as number) - r, (data[a + 1] as number) - g, (data[a + 2] as number) - b)

/**
 * What belongs together around a tap: grows over neighbours while their colour stays near the tap's and no edge lies between.
 * Returns 0 or 1 a pixel; x and y are whole pixels.
 */
export function growRegion({ width, height, data }: Pixels, x: number, y: number): Uint8Array {
  const region = new Uint8Array(width * height)
  const start = Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))
  const seed = meanAround({ width, height, data }, start)
  const open = [start]
  region[start] = 1
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const column = at % width
    const from = 4 * at
    const [r, g, b] = [data[from] as number, data[from + 1] as number, data[from + 2] as number]
    for (const next of [
      column > 0 ? at - 1 : -1,
      column < width - 1 ? at + 1 : -1,
      at - width,
      at + width < region.length ? at + width : -1,
    ]) {
      if (next < 0 || region[next]) continue
      const near = difference(data, 4 * next, seed.r, seed.g, seed.b) < limits.colour
      if (!near || difference(data, 4 * next, r, g, b) > limits.edge) continue
      region[next] = 1
      open.push(next)
    }
  }
  return region
}

/** The mean colour of the 3 × 3 pixels around one, so that a speck of noise does not decide. */
function meanAround({ width, height, data }: Pixels, at: number): { r: number; g: number; b: number } {
  const [x, y] = [at % width, Math.floor(at / width)]
  const sum = { r: 0, g: 0, b: 0 }
  let count = 0
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const i = 4 * (row * width + column)
      sum.r += data[i] as number
      sum.g += data[i + 1] as number
      sum.b += data[i + 2] as number
      count++
    }
  }
  return { r: sum.r / count, g: sum.g / count, b: sum.b / count }
}

/** Neighbours clockwise from the right. */
const around = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const

/** The outer outline of the first region in a mask, pixel centres in shares of its size (Moore neighbour tracing). */
export function outlineOf(mask: Uint8Array, width: number, height: number): number[] {
  const first = mask.indexOf(1)
  if (first < 0) return []
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] === 1
  const start = { x: first % width, y: Math.floor(first / width) }
  const points: number[] = []
  let here = start
  // The pixel above the first one is outside, so the search begins there.
  let heading = 6
  for (let steps = 0; steps < 4 * mask.length; steps++) {
    points.push((here.x + 0.5) / width, (here.y + 0.5) / height)
    const turn = around.findIndex((_, i) => {
      const [dx, dy] = around[(heading + i) % 8] as (typeof around)[number]
      return inside(here.x + dx, here.y + dy)
    })
    if (turn < 0) break
    const taken = (heading + turn) % 8
    const [dx, dy] = around[taken] as (typeof around)[number]
    here = { x: here.x + dx, y: here.y + dy }
    heading = (taken + 6) % 8
    if (here.x === start.x && here.y === start.y) break
  }
  return points
}
