/**
 * One node of the network for bare skin: weights of what pixels and pieces are like, in the order
 * in which `bareSkin` knows it, and what follows.
 */
export interface Node {
  base: number
  pixel: readonly [lighter: number, equal: number, near: number]
  piece: readonly number[]
  out: number
}

// Fitted to the true colours of about ninety photographs of people: whether those of skin or of
// clothes are nearer.
export const bias = -0.85
export const network: readonly Node[] = [
  { base: -0.11, pixel: [2.62, -0.33, -0.35], piece: [0.64, -0.08, 0.11, 0.6, 0.22, 0.1, -1.24], out: -1.68 },
  { base: 1.92, pixel: [-0.15, -0.33, 1.11], piece: [-0.71, -1.14, 0.49, 0.24, 0.5, -0.2, -2.76], out: -1.49 },
  { base: 1.51, pixel: [0.41, -0.08, -1.68], piece: [0.03, 0.02, -1.01, 0.36, -0.79, 0.39, -0.45], out: -1.63 },
  { base: -0.63, pixel: [1.04, 0.56, 0.66], piece: [1.44, -0.03, 0.91, 0.33, 0.3, 0.31, 7.9], out: 2.03 },
]
