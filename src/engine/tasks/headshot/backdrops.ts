/** Red, green and blue of linear light, 0 to 1. */
export type Light = readonly [number, number, number]

/** Places are shares of the picture, from its upper left corner. */
export type Backdrop =
  | {
      /** Seamless paper or a wall, lit from one place. */
      kind: 'sweep'
      /** Colour where the light is brightest, and where it has fallen off. */
      lit: Light
      dark: Light
      /** Middle and reach of the light. */
      spot: { x: number; y: number; reach: number }
      /** Strength of the paper's unevenness. */
      uneven: number
    }
  | {
      /** Painted canvas: clouds of two colours, darker towards the rim. */
      kind: 'canvas'
      base: Light
      clouds: Light
      spot: { x: number; y: number; reach: number }
    }
  | {
      /** A plain wall on which the light of a window falls. */
      kind: 'window'
      wall: Light
      sun: Light
    }
  | {
      /** A place far out of focus. */
      kind: 'place'
      scene: 'office' | 'garden' | 'evening'
    }

/** The backdrops of headshots; light is linear. */
export const backdrops = {
  grey: {
    kind: 'sweep',
    lit: [0.4, 0.405, 0.41],
    dark: [0.085, 0.088, 0.094],
    spot: { x: 0.5, y: 0.42, reach: 0.72 },
    uneven: 0.035,
  },
  white: {
    kind: 'sweep',
    lit: [0.9, 0.9, 0.89],
    dark: [0.6, 0.61, 0.63],
    spot: { x: 0.46, y: 0.4, reach: 0.95 },
    uneven: 0.012,
  },
  charcoal: {
    kind: 'sweep',
    lit: [0.085, 0.088, 0.095],
    dark: [0.008, 0.008, 0.01],
    spot: { x: 0.62, y: 0.5, reach: 0.6 },
    uneven: 0.05,
  },
  sand: {
    kind: 'sweep',
    lit: [0.66, 0.55, 0.44],
    dark: [0.28, 0.21, 0.155],
    spot: { x: 0.38, y: 0.36, reach: 0.85 },
    uneven: 0.03,
  },
  blue: {
    kind: 'sweep',
    lit: [0.13, 0.24, 0.4],
    dark: [0.012, 0.026, 0.062],
    spot: { x: 0.5, y: 0.46, reach: 0.68 },
    uneven: 0.04,
  },
  sage: {
    kind: 'sweep',
    lit: [0.27, 0.4, 0.29],
    dark: [0.05, 0.095, 0.06],
    spot: { x: 0.6, y: 0.38, reach: 0.78 },
    uneven: 0.03,
  },
  canvas: {
    kind: 'canvas',
    base: [0.1, 0.082, 0.066],
    clouds: [0.24, 0.2, 0.16],
    spot: { x: 0.5, y: 0.45, reach: 0.75 },
  },
  window: { kind: 'window', wall: [0.42, 0.4, 0.37], sun: [0.5, 0.42, 0.31] },
  office: { kind: 'place', scene: 'office' },
  garden: { kind: 'place', scene: 'garden' },
  evening: { kind: 'place', scene: 'evening' },
} as const satisfies Record<string, Backdrop>

export type BackdropName = keyof typeof backdrops
