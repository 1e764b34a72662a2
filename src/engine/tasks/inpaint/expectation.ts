import { channels, type Level, reach } from './level.ts'
import { relax, spanMembrane } from './membrane.ts'
import { spanAlongEdges } from './orientation.ts'

/**
 * The expected colours inside the hole for every level, as its pixels: a membrane, smoother along
 * the direction in which the surroundings change less, as along a horizon (the most probable
 * picture of a Gaussian Markov random field with their gradients). Solved from the coarsest level,
 * where they go on along the edges too, to the finest. Outside the hole they are the level's
 * pixels.
 */
export function expectColours(levels: Level[]): Uint8Array[] {
  const expected: Uint8Array[] = []
  let coarse: Float32Array | undefined
  for (let l = levels.length - 1; l >= 0; l--) {
    const level = levels[l] as Level
    const { width, height, hole, targets } = level
    const values = new Float32Array(level.pixels)
    const inside = targets.filter((i) => hole[i] === 1 && i >= width && i < width * (height - 1))
    if (coarse) {
      enlarge(coarse, levels[l + 1] as Level, values, level, inside)
      relax(values, level, inside, channels, 'finer')
    } else {
      spanMembrane(values, level, inside, channels)
      spanAlongEdges(values, level, inside, channels)
    }
    const colours = level.pixels.slice()
    for (const i of inside) {
      for (let k = channels * i; k < channels * (i + 1); k++) colours[k] = (values[k] as number) + 0.5
    }
    expected[l] = colours
    coarse = values
  }
  return expected
}

function enlarge(from: Float32Array, coarse: Level, values: Float32Array, level: Level, inside: Int32Array): void {
  for (const i of inside) {
    const x = (i % level.width) - reach
    const y = Math.floor(i / level.width) - reach
    const j = ((y >> 1) + reach) * coarse.width + (x >> 1) + reach
    for (let c = 0; c < channels; c++) values[channels * i + c] = from[channels * j + c] as number
  }
}
