import type { Stroke } from '#shared/media.ts'
import { fillPolygon } from './geometry.ts'
import type { Size } from './picture.ts'

/** 1 keep, −1 erase, 0 none. */
export interface Seeds extends Size {
  data: Int8Array
}

/**
 * Draws strokes, scaled by `scale`, at least a pixel wide; later strokes overwrite earlier ones.
 */
export function rasterizeStrokes(strokes: readonly Stroke[], width: number, height: number, scale: number): Seeds {
  const seeds: Seeds = { width, height, data: new Int8Array(width * height) }
  for (const { mode, shape, size, points } of strokes) {
    const value = mode === 'keep' ? 1 : -1
    const scaled = points.map((value) => value * scale)
    const radius = Math.max(0.5, (size * scale) / 2)
    if (shape === 'area') fillPolygon(seeds, corners(scaled), value)
    for (let i = 0; i < scaled.length; i += 2) {
      const next = i + 2 < scaled.length ? i + 2 : shape === 'area' ? 0 : i
      fillSegment(seeds, scaled, i, next, radius, value)
    }
  }
  return seeds
}

const corners = (points: readonly number[]) =>
  Array.from({ length: points.length / 2 }, (_, i) => ({ x: points[2 * i] as number, y: points[2 * i + 1] as number }))

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
