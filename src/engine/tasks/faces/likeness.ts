/**
 * How alike two faces are by their embeddings (unit vectors of the same length): their cosine, 1
 * for the same picture.
 */
export function likeness(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
