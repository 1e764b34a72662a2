/**
 * Weights for how much a pixel differs from what is below a hint, in the order in which `compare`
 * gives it.
 */
export interface Weights {
  base: number
  weights: readonly number[]
}

// Fitted to the true colours of 155 photographs of people with one to five hints, as
// `tint-network.ts` to those without.
/**
 * The score for having no hint's colour: by itself, and by certainty, person, bare skin, parts of
 * people and colour.
 */
export const bound = -4.84
export const unbound = [2.59, 0.81, 0.22, -0.28, 0.06] as const
/** The score of a hint by itself, and what each node of the network adds to it. */
export const straight: Weights = {
  base: 0.73,
  weights: [
    -1.96, -0.52, -0.17, -4.51, -1.68, -0.4, -0.07, -0.01, -2.95, -0.1, -0.17, 0.28, -0.32, -0.39, -0.26, -0.54, -0.22,
    -0.89, -0.04, 0.07,
  ],
}
export const network: readonly (Weights & { out: number })[] = [
  {
    base: 0.27,
    weights: [
      -0.13, 0.32, 0.04, -0.47, 0.45, -0.09, -0.23, 0.14, 1.68, -0.26, -0.72, 0.11, -0.05, 0.53, -0.32, -0.92, -0.2,
      0.16, -0.75, 0.54,
    ],
    out: 0.65,
  },
  {
    base: 0.63,
    weights: [
      0.33, 0.21, -0.12, -1.15, -0.15, -0.25, 0.01, 0.13, 0.83, 0.21, -1, 0.61, -0.07, 0.21, -0.53, -1.23, -0.26, 0.18,
      -0.39, 0.12,
    ],
    out: 0.88,
  },
  {
    base: 0.65,
    weights: [
      -0.13, 0.17, -0.19, -0.05, 0.67, -0.12, 0.17, 0, 0.61, -0.02, -0.49, 0.2, -0.29, -0.25, 0.04, -0.8, -0.72, 0.32,
      -0.22, -0.06,
    ],
    out: 1.01,
  },
  {
    base: -0.65,
    weights: [
      0.16, -0.26, 0.05, 0.07, -0.39, 0.02, 0.16, 0.51, -0.59, 0.08, 0.55, -0.21, 0.3, 0.2, -0.01, 0.94, 0.83, -0.53,
      0.12, 0.15,
    ],
    out: -0.8,
  },
  {
    base: -0.46,
    weights: [
      -0.12, -0.17, 0.02, 1.25, 0.39, 0.34, 0.19, -0.29, -0.42, -0.27, 0.66, -0.33, -0.22, 0.01, 0.31, 0.87, 0.28,
      -0.33, -0.04, -0.04,
    ],
    out: -0.93,
  },
  {
    base: 0.5,
    weights: [
      -0.54, -0.03, -0.28, -1.03, -0.44, -0.32, -0.26, -0.25, 0.69, 0.44, 0.09, -0.07, -0.49, -0.51, 0.03, -1.19, -0.21,
      0.79, -0.15, 0.46,
    ],
    out: 0.94,
  },
]
/** How much of a hint is taken for a shift of the guess instead of a colour, as a logit. */
export const shift: Weights = {
  base: -1.67,
  weights: [
    0.05, 0.11, -0.08, -0.24, 0.01, -0.43, 0.1, -0.21, 0.18, -0.06, 0.65, 0.35, 0.37, 0.32, -0.26, 1.97, -0.27, 0.08,
    0.58, -0.64,
  ],
}
