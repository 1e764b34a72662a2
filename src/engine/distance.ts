import type { Plane } from './picture.ts'

const straight = 1
const diagonal = Math.SQRT2

/**
 * Distance of every pixel from the border between values above and below 0.5, in pixels and at least 0.5, by two passes over the
 * neighbours (chamfer distance, Borgefors 1986); a plane without such a border is far from it everywhere.
 */
export function borderDistance(plane: Plane): Float32Array {
  const { width, height, data } = plane
  const distance = new Float32Array(width * height).fill(1e6)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const inside = (data[i] as number) > 0.5
      if (x + 1 < width && (data[i + 1] as number) > 0.5 !== inside) distance[i] = distance[i + 1] = 0.5
      if (y + 1 < height && (data[i + width] as number) > 0.5 !== inside) distance[i] = distance[i + width] = 0.5
    }
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let best = distance[i] as number
      if (x > 0) best = Math.min(best, (distance[i - 1] as number) + straight)
      if (y > 0) {
        best = Math.min(best, (distance[i - width] as number) + straight)
        if (x > 0) best = Math.min(best, (distance[i - width - 1] as number) + diagonal)
        if (x + 1 < width) best = Math.min(best, (distance[i - width + 1] as number) + diagonal)
      }
      distance[i] = best
    }
  }
  for (let y = height - 1, i = width * height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, i--) {
      let best = distance[i] as number
      if (x + 1 < width) best = Math.min(best, (distance[i + 1] as number) + straight)
      if (y + 1 < height) {
        best = Math.min(best, (distance[i + width] as number) + straight)
        if (x > 0) best = Math.min(best, (distance[i + width - 1] as number) + diagonal)
        if (x + 1 < width) best = Math.min(best, (distance[i + width + 1] as number) + diagonal)
      }
      distance[i] = best
    }
  }
  return distance
}
