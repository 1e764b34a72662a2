/** The value, but `least` at least and `most` at most. */
export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** 0 at `from` and before, 1 at `to` and beyond, whichever is larger; even in between. */
export function ramp(from: number, to: number, value: number): number {
  return clamp((value - from) / (to - from), 0, 1)
}

/** {@link ramp} with a soft start and end. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = ramp(from, to, value)
  return t * t * (3 - 2 * t)
}

/** The mean of values by their weights; `none` where nothing has any. */
export function weightedMean(values: ArrayLike<number>, weights: ArrayLike<number>, none = 0): number {
  let [sum, all] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    sum += (weights[i] as number) * (values[i] as number)
    all += weights[i] as number
  }
  return all > 0 ? sum / all : none
}

/** The value below which a share of the others lie, 0 to 1; 0 where there is none. */
export function quantile(values: Float32Array, share: number): number {
  const sorted = values.slice().sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** The index below which a share of what `counts` counted lies, 0 to 1. */
export function countedQuantile(counts: Uint32Array, share: number): number {
  const rank = share * counts.reduce((sum, count) => sum + count, 0)
  let below = 0
  const found = counts.findIndex((count) => {
    below += count
    return below >= rank
  })
  return Math.max(0, found)
}
