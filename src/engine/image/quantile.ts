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
