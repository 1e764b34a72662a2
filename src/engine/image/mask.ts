import { bytes } from './arena.ts'

/**
 * A mask holds 0 or 1 a pixel, row by row. This one is 1 wherever `mask` is within a (2·radius+1)²
 * window.
 */
export function widen(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const across = bytes(mask.length)
  for (let y = 0; y < height; y++) {
    const row = y * width
    let done = row
    for (let x = 0; x < width; x++) {
      if (mask[row + x] === 0) continue
      const end = row + Math.min(x + radius + 1, width)
      across.fill(1, Math.max(done, row + x - radius), end)
      done = end
    }
  }
  const out = bytes(mask.length)
  out.set(across)
  for (let away = 1; away <= radius; away++) {
    const shift = away * width
    for (let i = shift; i < out.length; i++) {
      if (across[i - shift] === 1) out[i] = 1
      if (across[i] === 1) out[i - shift] = 1
    }
  }
  return out
}
