import { channels, type Level, mirroredPairs, reach } from './level.ts'

const sweeps = { coarsest: 120, finer: 10 }
/** Over-relaxation of a sweep (Young 1954). */
const relaxation = { coarsest: 1.7, finer: 1.4 }
/** How much stronger one direction may count than the other. */
const maxRatio = 16

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

/**
 * Takes a number of steps towards a membrane: every value towards the mean of its neighbours. In
 * place.
 */
export function relax(
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
