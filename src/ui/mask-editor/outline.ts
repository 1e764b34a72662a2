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

/**
 * Removes points within `tolerance` of the line between their neighbours (Ramer, Douglas and
 * Peucker 1972/73).
 */
export function simplify(points: readonly number[], tolerance: number): number[] {
  const count = points.length / 2
  if (count <= 2) return [...points]
  const kept = new Uint8Array(count)
  kept[0] = 1
  kept[count - 1] = 1
  const open: [number, number][] = [[0, count - 1]]
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span
    let farthest = first
    let distance = tolerance
    for (let i = first + 1; i < last; i++) {
      const away = distanceToSegment(points, i, first, last)
      if (away > distance) [farthest, distance] = [i, away]
    }
    if (farthest === first) continue
    kept[farthest] = 1
    open.push([first, farthest], [farthest, last])
  }
  const out: number[] = []
  for (let i = 0; i < count; i++) if (kept[i]) out.push(points[2 * i] as number, points[2 * i + 1] as number)
  return out
}

function distanceToSegment(points: readonly number[], i: number, first: number, last: number): number {
  const at = (index: number) => [points[2 * index] as number, points[2 * index + 1] as number] as const
  const [[x, y], [ax, ay], [bx, by]] = [at(i), at(first), at(last)]
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}
