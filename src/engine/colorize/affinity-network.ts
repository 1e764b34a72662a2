/**
 * Weights for how much a pixel differs from what is below a hint, in the order in which `compare`
 * gives it.
 */
export interface Weights {
  base: number
  weights: readonly number[]
}

// Fitted to the true colours of 155 photographs of people with one to five hints, as
// `tint-network.ts` to those without, then to 84 others with hints in wrong areas and at random
// places, where what a hint makes worse than the guess counts twice: one dot must not flood a wall.
/**
 * The score for having no hint's colour: by itself, and by certainty, person, bare skin, parts of
 * people and colour.
 */
export const bound = -5.07
export const unbound = [1.66, -0.37, 0.35, 0.54, -0.23] as const
/** The score of a hint by itself, and what each node of the network adds to it. */
export const straight: Weights = {
  base: 0.96,
  weights: [
    -1.24, -0.71, -0.06, -4.58, -1.63, -0.59, -0.15, 0.08, -3.54, -0.29, -0.46, 0.12, -0.37, -0.37, 0.13, -0.54, -0.42,
    -1.3, 0.14, -0.03,
  ],
}
export const network: readonly (Weights & { out: number })[] = [
  {
    base: 0.19,
    weights: [
      0.06, 0.13, 0.12, -0.35, 0.54, -0.08, -0.04, 0.06, 1.65, -0.41, -0.95, 0, -0.12, 0.44, -0.33, -0.92, 0.11, 0.19,
      -0.6, 0.86,
    ],
    out: 1.06,
  },
  {
    base: 0.65,
    weights: [
      0.91, -0.02, -0.22, -1.31, -0.14, -0.43, -0.1, 0.21, 0.42, 0.44, -0.97, 0.46, -0.27, -0.01, 0.01, -1.24, -0.4,
      0.08, -0.33, 0.15,
    ],
    out: 1.5,
  },
  {
    base: 0.33,
    weights: [
      0.37, 0.53, -0.09, -0.21, 0.58, -0.17, 0.11, -0.05, 0.26, 0.09, -0.5, 0.26, -0.21, -0.43, -0.56, -0.8, -0.75,
      0.28, 0.09, -0.38,
    ],
    out: 1.45,
  },
  {
    base: -0.55,
    weights: [
      -0.35, -0.19, -0.07, -0.14, -0.51, 0.08, 0.41, 0.58, -0.05, 0.15, 0.75, -0.08, 0.25, 0.03, 0.39, 0.93, 0.79, -0.3,
      -0.03, -0.02,
    ],
    out: -1.24,
  },
  {
    base: -0.35,
    weights: [
      -0.61, 0.24, 0.48, 1.75, 0.6, 0.52, 0.21, -0.2, -0.43, -0.18, 0.55, -0.21, -0.17, -0.22, -0.37, 0.88, 0, -0.19,
      0.08, -0.1,
    ],
    out: -1.97,
  },
  {
    base: 0.5,
    weights: [
      -0.59, -0.31, -0.09, -1.28, -0.61, -0.59, -0.34, -0.51, 0.44, 0.82, 0.18, -0.07, -0.45, -0.52, 0.03, -1.19, -0.26,
      0.54, -0.06, 0.82,
    ],
    out: 1.78,
  },
]
/** How much of a hint is taken for a shift of the guess instead of a colour, as a logit. */
export const shift: Weights = {
  base: -1.97,
  weights: [
    -0.05, -0.01, -0.08, -0.3, -0.04, -0.45, 0.07, -0.39, 0.22, 0.03, 0.8, 0.61, 0.59, 0.02, -0.45, 1.98, -0.38, 0.26,
    0.45, -0.87,
  ],
}
