/** Repeatable numbers: whole ones from 0 to limit − 1 (xorshift, Marsaglia 2003). */
export function createRandom(seed: number): (limit: number) => number {
  let state = (seed | 0) ^ 0x9e3779b9 || 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (((state >>> 0) * limit) / 4294967296) | 0
  }
}
