/**
 * Colours of a material by its lightness: red–green and yellow–blue of CIELAB at lightness 5, 15, …
 * 95 of 100.
 */
export interface Tones {
  a: readonly number[]
  b: readonly number[]
}

// Near the colours with the least mean CIEDE2000 to those of the materials in about ninety
// photographs of people.
/** Highlights are pale, deep shade is nearly grey. */
export const skin: Tones = { a: [2, 8, 11, 15, 16, 17, 17, 15, 12, 5], b: [2, 8, 12, 16, 18, 20, 21, 20, 16, 8] }
export const lips: Tones = { a: [10, 18, 22, 25, 28, 27, 24, 20, 13, 8], b: [5, 10, 13, 15, 16, 16, 14, 12, 9, 6] }
/** Dark hair is nearly black, lighter hair is brown to blond. */
export const hair: Tones = { a: [1, 4, 5, 7, 9, 10, 12, 12, 8, 1], b: [1, 5, 7, 10, 13, 15, 17, 17, 13, 5] }
export const brows: Tones = { a: [6, 10, 12, 13, 14, 14, 14, 14, 11, 8], b: [6, 10, 12, 14, 17, 18, 18, 18, 15, 10] }
export const eyes: Tones = { a: [4, 6, 7, 7, 8, 8, 8, 8, 5, 3], b: [3, 5, 7, 8, 8, 8, 8, 8, 6, 4] }
/**
 * Creased cloth of medium lightness is more often warm than not; what is dark or white hardly has a
 * colour.
 */
export const creasedCloth: Tones = { a: [1, 1, 4, 7, 8, 9, 8, 6, 2, 0], b: [-2, -1, 3, 8, 11, 14, 13, 10, 3, 0] }
/** Dark smooth clothes tend to navy, white ones are white, and the others may have any colour. */
export const cloth: Tones = { a: [1, 2, 2, 1, 1, 2, 4, 4, 1, 0], b: [-2, -4, -4, -3, -3, 0, 5, 5, 1, 0] }

/** A tone at a lightness from 0 to 1. */
export function toneAt(tones: readonly number[], level: number): number {
  const at = Math.min(tones.length - 1, Math.max(0, 10 * level - 0.5))
  const below = Math.min(tones.length - 2, Math.floor(at))
  const from = tones[below] as number
  return from + (at - below) * ((tones[below + 1] as number) - from)
}
