import type { Stroke } from '#contract/media.ts'

/** What strokes say of a pixel: 1 keep, −1 erase, 0 nothing. */
export interface Seeds {
  width: number
  height: number
  data: Int8Array
}

/**
 * Draws strokes, scaled by `scale`, on a grid of width × height; later ones lie over earlier ones.
 * Lines are at least a pixel wide.
 */
export function rasterizeStrokes(strokes: readonly Stroke[], width: number, height: number, scale: number): Seeds {
  const seeds: Seeds = { width, height, data: new Int8Array(width * height) }
  for (const { mode, shape, size, points } of strokes) {
    const value = mode === 'keep' ? 1 : -1
    const scaled = points.map((value) => value * scale)
    const radius = Math.max(0.5, (size * scale) / 2)
    if (shape === 'area') fillArea(seeds, scaled, value)
    for (let i = 0; i < scaled.length; i += 2) {
      const next = i + 2 < scaled.length ? i + 2 : shape === 'area' ? 0 : i
      fillSegment(seeds, scaled, i, next, radius, value)
    }
  }
  return seeds
}

/** The pixels between two points of a line. */
function fillSegment(
  { width, height, data }: Seeds,
  points: readonly number[],
  from: number,
  to: number,
  radius: number,
  value: number,
) {
  const [ax, ay] = [points[from] as number, points[from + 1] as number]
  const [bx, by] = [points[to] as number, points[to + 1] as number]
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const left = Math.max(0, Math.floor(Math.min(ax, bx) - radius))
  const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx) + radius))
  const top = Math.max(0, Math.floor(Math.min(ay, by) - radius))
  const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by) + radius))
  const within = Math.max(radius, Math.SQRT1_2) ** 2
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [px, py] = [x + 0.5 - ax, y + 0.5 - ay]
      const t = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length))
      if ((px - t * dx) ** 2 + (py - t * dy) ** 2 <= within) data[y * width + x] = value
    }
  }
}

/** The pixels within an outline (even-odd rule). */
function fillArea({ width, height, data }: Seeds, points: readonly number[], value: number) {
  const count = points.length / 2
  for (let y = 0; y < height; y++) {
    const line = y + 0.5
    const crossings: number[] = []
    for (let i = 0; i < count; i++) {
      const j = (i + 1) % count
      const [ax, ay] = [points[2 * i] as number, points[2 * i + 1] as number]
      const [bx, by] = [points[2 * j] as number, points[2 * j + 1] as number]
      if (ay <= line === by <= line) continue
      crossings.push(ax + ((line - ay) / (by - ay)) * (bx - ax))
    }
    crossings.sort((a, b) => a - b)
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const start = Math.max(0, Math.ceil((crossings[i] as number) - 0.5))
      const end = Math.min(width, Math.ceil((crossings[i + 1] as number) - 0.5))
      if (end > start) data.fill(value, y * width + start, y * width + end)
    }
  }
}
