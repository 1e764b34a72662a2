import { unclearedFloats } from './arena.ts'
import type { Plane } from './picture.ts'

const straight = 1
const diagonal = Math.SQRT2

/**
 * Distance of every pixel from the border between values above and below 0.5, in pixels and at
 * least 0.5, by two passes over the neighbours (chamfer distance, Borgefors 1986); a plane without
 * such a border is far from it everywhere.
 */
export function borderDistance(plane: Plane): Float32Array {
  const { width, height, data } = plane
  const distance = unclearedFloats(width * height).fill(1e6)
  for (let y = 0; y < height; y++) markBorder(data, distance, y * width, width, y + 1 < height ? width : 0)
  for (let y = 0; y < height; y++) {
    if (y > 0) takeFromRow(distance, y * width, -width, width)
    for (let i = y * width + 1; i < (y + 1) * width; i++) takeFrom(distance, i, i - 1)
  }
  for (let y = height - 1; y >= 0; y--) {
    if (y + 1 < height) takeFromRow(distance, y * width, width, width)
    for (let i = (y + 1) * width - 2; i >= y * width; i--) takeFrom(distance, i, i + 1)
  }
  return distance
}

/**
 * Marks the pixels of a row whose right neighbour, or the one `below` places further, is on the
 * other side, and that neighbour.
 */
function markBorder(data: Float32Array, distance: Float32Array, row: number, width: number, below: number): void {
  for (let x = 0, i = row; x < width; x++, i++) {
    const inside = (data[i] as number) > 0.5
    if (x + 1 < width && (data[i + 1] as number) > 0.5 !== inside) distance[i] = distance[i + 1] = 0.5
    if ((data[i + below] as number) > 0.5 !== inside) distance[i] = distance[i + below] = 0.5
  }
}

/** Shortens a row's distances by those of the row `away` places further. */
function takeFromRow(distance: Float32Array, row: number, away: number, width: number): void {
  for (let x = 0, i = row; x < width; x++, i++) {
    let best = distance[i] as number
    const next = (distance[i + away] as number) + straight
    if (next < best) best = next
    if (x > 0) {
      const left = (distance[i + away - 1] as number) + diagonal
      if (left < best) best = left
    }
    if (x + 1 < width) {
      const right = (distance[i + away + 1] as number) + diagonal
      if (right < best) best = right
    }
    distance[i] = best
  }
}

function takeFrom(distance: Float32Array, i: number, from: number): void {
  const next = (distance[from] as number) + straight
  if (next < (distance[i] as number)) distance[i] = next
}
