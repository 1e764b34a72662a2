import { channels, type Level, mirroredPairs, reach } from './level.ts'

const sweeps = { coarsest: 120, finer: 10 }
/** Over-relaxation of a sweep (Young 1954). */
const relaxation = { coarsest: 1.7, finer: 1.4 }
/** How much stronger one direction may count than the other. */
const maxRatio = 16

/**
 * The expected colours inside the hole for every level, as its pixels: a membrane, smoother along
 * the direction in which the surroundings change less, as along a horizon (the most probable
 * picture of a Gaussian Markov random field with their gradients). Solved from the coarsest level,
 * for which `start` may give them, to the finest. Outside the hole they are the level's pixels.
 */
export function expectColours(levels: Level[], start?: Uint8Array): Uint8Array[] {
  const expected: Uint8Array[] = []
  let coarse: Float32Array | undefined
  for (let l = levels.length - 1; l >= 0; l--) {
    const level = levels[l] as Level
    const { width, height, hole, targets } = level
    const values = new Float32Array(coarse ? level.pixels : (start ?? level.pixels))
    const inside = targets.filter((i) => hole[i] === 1 && i >= width && i < width * (height - 1))
    if (coarse) {
      enlarge(coarse, levels[l + 1] as Level, values, level, inside)
      relax(values, level, inside, channels, 'finer')
    } else if (!start) spanMembrane(values, level, inside, channels)
    const colours = level.pixels.slice()
    for (const i of inside) {
      for (let k = channels * i; k < channels * (i + 1); k++) colours[k] = (values[k] as number) + 0.5
    }
    expected[l] = colours
    coarse = values
  }
  return expected
}

/**
 * Spans a membrane over the hole's pixels `inside`, for each of the `count` values that `values`
 * has for every pixel of the level. In place.
 */
export function spanMembrane(values: Float32Array, level: Level, inside: Int32Array, count: number): void {
  startFlat(values, level, inside, count)
  relax(values, level, inside, count, 'coarsest')
}

/** Starts with the mean of what is known beside the hole. */
function startFlat(values: Float32Array, { hole, targets }: Level, inside: Int32Array, count: number): void {
  const sum = new Float64Array(count)
  let known = 0
  for (const i of targets) {
    if (hole[i] === 1) continue
    for (let c = 0; c < count; c++) sum[c] = (sum[c] as number) + (values[count * i + c] as number)
    known++
  }
  for (const i of inside) {
    for (let c = 0; c < count; c++) values[count * i + c] = (sum[c] as number) / Math.max(1, known)
  }
}

function enlarge(from: Float32Array, coarse: Level, values: Float32Array, level: Level, inside: Int32Array): void {
  for (const i of inside) {
    const x = (i % level.width) - reach
    const y = Math.floor(i / level.width) - reach
    const j = ((y >> 1) + reach) * coarse.width + (x >> 1) + reach
    for (let c = 0; c < channels; c++) values[channels * i + c] = from[channels * j + c] as number
  }
}

/**
 * Weight of the neighbours left and right, 0 to 1: more where the picture changes less along rows
 * than along columns.
 */
function horizontalWeight({ width, pixels, hole, targets }: Level): number {
  let along = 1
  let down = 1
  const far = 2 * reach
  const around = [0, -far, far, -far * width, far * width]
  for (const target of targets) {
    if (hole[target] === 1) continue
    for (const shift of around) {
      const i = target + shift
      if (i < 0 || i + width >= hole.length || hole[i] || hole[i + 1] || hole[i + width]) continue
      for (let k = channels * i; k < channels * i + 3; k++) {
        along += ((pixels[k] as number) - (pixels[k + channels] as number)) ** 2
        down += ((pixels[k] as number) - (pixels[k + channels * width] as number)) ** 2
      }
    }
  }
  const ratio = Math.min(maxRatio, Math.max(1 / maxRatio, (down / along) ** 2))
  return ratio / (1 + ratio)
}

function relax(
  values: Float32Array,
  level: Level,
  inside: Int32Array,
  count: number,
  stage: keyof typeof sweeps,
): void {
  const { width } = level
  const horizontal = horizontalWeight(level)
  const mirrored = mirroredPairs(level)
  const row = count * width
  const vertical = 1 - horizontal
  const step = relaxation[stage]
  for (let sweep = 0; sweep < sweeps[stage]; sweep++) {
    for (const [to, from] of mirrored) {
      values.copyWithin(count * to, count * from, count * (from + 1))
    }
    for (let n = 0; n < inside.length; n++) {
      const start = count * (inside[n] as number)
      for (let k = start; k < start + count; k++) {
        const beside = (values[k - count] as number) + (values[k + count] as number)
        const upDown = (values[k - row] as number) + (values[k + row] as number)
        const own = values[k] as number
        values[k] = own + step * ((horizontal * beside + vertical * upDown) / 2 - own)
      }
    }
  }
}
