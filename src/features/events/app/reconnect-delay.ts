/**
 * Milliseconds before attempt n (0, 1, 2 …) at connecting again: doubling from one second to half a
 * minute, with jitter.
 */
export function reconnectDelay(attempt: number, random = Math.random): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (0.75 + random() / 2)
}
