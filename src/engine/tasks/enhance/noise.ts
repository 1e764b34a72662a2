import type { Plane } from '#engine/image/picture.ts'

const block = 16
/** Texture makes the grid look stronger than it is. */
const largestStep = 0.0175

/**
 * Standard deviation of what disturbs a plane, in its units: random noise, from the calmest blocks
 * of the picture after edges and slopes are taken out (Immerkær 1996), and the steps that JPEG
 * leaves along its 8 × 8 grid.
 */
export function estimateNoise(plane: Plane): number {
  return Math.hypot(randomNoise(plane), blockSteps(plane))
}

function randomNoise({ width, height, data }: Plane): number {
  const found: number[] = []
  for (let top = 1; top + block < height; top += block) {
    for (let left = 1; left + block < width; left += block) {
      let sum = 0
      let least = 1
      let most = 0
      for (let y = top; y < top + block; y++) {
        for (let i = y * width + left; i < y * width + left + block; i++) {
          const value = data[i] as number
          if (value < least) least = value
          if (value > most) most = value
          const sides =
            (data[i - 1] as number) +
            (data[i + 1] as number) +
            (data[i - width] as number) +
            (data[i + width] as number)
          const corners =
            (data[i - width - 1] as number) +
            (data[i - width + 1] as number) +
            (data[i + width - 1] as number) +
            (data[i + width + 1] as number)
          const rough = 4 * value - 2 * sides + corners
          sum += rough * rough
        }
      }
      if (most < 0.98 && least > 0.02) found.push(sum / (block * block * 36))
    }
  }
  if (found.length === 0) return 0
  found.sort((a, b) => a - b)
  const calm = found.slice(0, Math.max(1, Math.floor(found.length / 20)))
  return Math.sqrt(calm.reduce((sum, value) => sum + value, 0) / calm.length)
}

/**
 * How much larger the second differences across the grid are than those between, as a standard
 * deviation; 0 without a grid.
 */
function blockSteps({ width, height, data }: Plane): number {
  const across = new Float64Array(8)
  const counts = new Float64Array(8)
  for (let y = 2; y < height - 2; y += 3) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x
      const step = (data[i] as number) - (data[i - 1] as number)
      const slopes = (data[i - 1] as number) - (data[i - 2] as number) + (data[i + 1] as number) - (data[i] as number)
      const change = Math.abs(step - slopes / 2)
      if (change > 0.1) continue
      across[x & 7] = (across[x & 7] as number) + change
      counts[x & 7] = (counts[x & 7] as number) + 1
    }
  }
  const means = Array.from(across, (sum, k) => sum / Math.max(1, counts[k] as number))
  const grid = means[0] as number
  const between = means.slice(1).reduce((sum, value) => sum + value, 0) / 7
  return Math.min(largestStep, Math.max(0, grid - 1.03 * between) * 1.5)
}
