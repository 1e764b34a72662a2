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
