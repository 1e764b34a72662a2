/** Clockwise from the right. */
const neighbours = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const

/**
 * Outer outline of the first region: pixel centres as shares of the size (Moore neighbour tracing).
 */
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
    const turn = neighbours.findIndex((_, i) => {
      const [dx, dy] = neighbours[(heading + i) % 8] as (typeof neighbours)[number]
      return inside(here.x + dx, here.y + dy)
    })
    if (turn < 0) break
    const taken = (heading + turn) % 8
    const [dx, dy] = neighbours[taken] as (typeof neighbours)[number]
    here = { x: here.x + dx, y: here.y + dy }
    heading = (taken + 6) % 8
    if (here.x === start.x && here.y === start.y) break
  }
  return points
}
