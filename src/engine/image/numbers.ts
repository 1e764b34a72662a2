export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Linear ramp: 0 at `from`, 1 at `to`, constant beyond; `from` may be larger than `to`. */
export function ramp(from: number, to: number, value: number): number {
  return clamp((value - from) / (to - from), 0, 1)
}

/** {@link ramp} with a soft start and end. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = ramp(from, to, value)
  return t * t * (3 - 2 * t)
}

/** `none` if all weights are 0. */
export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number>, none = 0): number {
  let [sum, all] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    sum += (weights[i] as number) * (values[i] as number)
    all += weights[i] as number
  }
  return all > 0 ? sum / all : none
}

/** The value below which a share (0 to 1) of the values lies; 0 for an empty array. */
export function quantile(values: Float32Array, share: number): number {
  const sorted = values.slice().sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** The index of a histogram below which a share (0 to 1) of the counts lies. */
export function countedQuantile(counts: Uint32Array, share: number): number {
  const rank = share * counts.reduce((sum, count) => sum + count, 0)
  let below = 0
  const found = counts.findIndex((count) => {
    below += count
    return below >= rank
  })
  return Math.max(0, found)
}
