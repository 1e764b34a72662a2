import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { boxBlur, createPlane, smoothRows } from '#engine/image/plane.ts'
import { cloudNoise, randomSequence } from '#engine/image/random.ts'
import type { Light } from '#engine/tasks/background/canvas.ts'
import { photograph } from '#engine/tasks/background/finish.ts'
import { garden } from '#engine/tasks/background/greenery.ts'
import { office } from '#engine/tasks/background/interiors.ts'
import { nightBokeh } from '#engine/tasks/background/night.ts'
import { noWishes, type Scene } from '#engine/tasks/background/scene.ts'
import { windowLight } from '#engine/tasks/background/walls.ts'

/** Places are shares of the picture, from its upper left corner. */
type Backdrop =
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
      /** A place far out of focus. */
      kind: 'scene'
      scene: Scene
      seed: number
      brightness: number
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
  window: { kind: 'scene', scene: windowLight, seed: 3, brightness: -0.6 },
  office: { kind: 'scene', scene: office, seed: 4, brightness: -0.6 },
  garden: { kind: 'scene', scene: garden, seed: 8, brightness: -0.6 },
  evening: { kind: 'scene', scene: nightBokeh, seed: 12, brightness: 0 },
} as const satisfies Record<string, Backdrop>

export type BackdropName = keyof typeof backdrops

/**
 * Backdrops are soft: they are worked out at this longer side, then enlarged, and only their grain
 * is made at full size.
 */
const workSide = 420

/**
 * A studio backdrop of the given size, opaque. It is worked out in linear light and far out of
 * focus, with the falloff of a lamp, so that it looks photographed; `grain` is the standard
 * deviation of the film grain, 0 to 1.
 */
export function renderBackdrop(name: BackdropName, width: number, height: number, grain: number): Picture {
  const backdrop: Backdrop = backdrops[name]
  if (backdrop.kind === 'scene') {
    const { scene, seed, brightness } = backdrop
    const wishes = { ...noWishes(), brightness, blur: 1 }
    return photograph(scene, { width, height, seed, wishes, side: -0.5, area: workSide ** 2 })
  }
  const size = fitWithin({ width, height }, workSide)
  return develop(backdrop.kind === 'sweep' ? sweep(backdrop, size) : canvas(backdrop, size), width, height, grain)
}

interface Size {
  width: number
  height: number
}

/** Red, green and blue of linear light. */
type Layers = readonly [Plane, Plane, Plane]

function emptyScene({ width, height }: Size): Layers {
  return [createPlane(width, height), createPlane(width, height), createPlane(width, height)]
}

/**
 * How much of a lamp's light arrives: it falls off with the square of the distance, as on a wall
 * that it stands before.
 */
function falloff(x: number, y: number, { width, height }: Size, spot: { x: number; y: number; reach: number }): number {
  const unit = Math.max(width, height)
  const dx = (x - spot.x * width) / unit
  const dy = (y - spot.y * height) / unit
  const away = (dx * dx + dy * dy) / (spot.reach * spot.reach)
  return 1 / (1 + 3.2 * away) ** 1.5
}

function sweep({ lit, dark, spot, uneven }: Extract<Backdrop, { kind: 'sweep' }>, size: Size): Layers {
  const scene = emptyScene(size)
  const paper = cloudNoise(size.width, size.height, 0.5 * size.width, 3, 11)
  for (let y = 0; y < size.height; y++) {
    // The paper bends towards the camera below, where less light reaches it.
    const bend = 1 - 0.25 * Math.max(0, y / size.height - 0.62) ** 1.5
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x
      const light = falloff(x, y, size, spot) * bend * (1 + uneven * (paper.data[i] as number))
      for (let c = 0; c < 3; c++) {
        const [from, to] = [dark[c] as number, lit[c] as number]
        ;(scene[c] as Plane).data[i] = from + (to - from) * light
      }
    }
  }
  return scene
}

function canvas({ base, clouds, spot }: Extract<Backdrop, { kind: 'canvas' }>, size: Size): Layers {
  const scene = emptyScene(size)
  const wide = cloudNoise(size.width, size.height, 0.42 * size.width, 4, 5)
  const fine = cloudNoise(size.width, size.height, 0.1 * size.width, 3, 29)
  const radius = Math.max(1, Math.round(0.008 * size.width))
  const soft = boxBlur(boxBlur(fine, radius), radius)
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const i = y * size.width + x
      const paint = Math.min(1, Math.max(0, 0.42 + 0.42 * (wide.data[i] as number) + 0.16 * (soft.data[i] as number)))
      const light = 0.35 + 0.95 * falloff(x, y, size, spot)
      for (let c = 0; c < 3; c++) {
        const [from, to] = [base[c] as number, clouds[c] as number]
        ;(scene[c] as Plane).data[i] = light * (from + (to - from) * paint)
      }
    }
  }
  return scene
}

/** Linear light to sRGB at full size, with grain, which also hides the steps of 8 bits. */
function develop(scene: Layers, width: number, height: number, grain: number): Picture {
  const data = new Uint8ClampedArray(width * height * 4)
  // Grain is worked out coarse and fine: film and sensors have neither single-pixel noise alone nor
  // blots.
  const dust = grainTile()
  const rows = scene.map((plane) => {
    const own = createPlane(plane.width, plane.height)
    for (let i = 0; i < own.data.length; i++) own.data[i] = 255 * encode(plane.data[i] as number)
    return smoothRows(own, width, height)
  })
  const strength = 255 * Math.max(grain, 0.004)
  for (let y = 0, i = 0; y < height; y++) {
    const [red, green, blue] = rows.map((row) => row(y)) as [Float32Array, Float32Array, Float32Array]
    const tile = (y % tileSide) * tileSide
    for (let x = 0; x < width; x++, i++) {
      const speck = strength * (dust.data[tile + (x % tileSide)] as number)
      data[4 * i] = (red[x] as number) + speck
      data[4 * i + 1] = (green[x] as number) + speck
      data[4 * i + 2] = (blue[x] as number) + speck
      data[4 * i + 3] = 255
    }
  }
  return { width, height, data }
}

/** Side of the square of grain that is laid side by side: nobody sees where noise repeats. */
const tileSide = 384

function grainTile(): Plane {
  const random = randomSequence(3)
  const noise = createPlane(tileSide, tileSide)
  for (let i = 0; i < noise.data.length; i++) noise.data[i] = random() + random() + random() - 1.5
  const soft = boxBlur(noise, 1)
  for (let i = 0; i < noise.data.length; i++) {
    noise.data[i] = 1.1 * (noise.data[i] as number) + 2.2 * (soft.data[i] as number)
  }
  return noise
}

/** The sRGB transfer curve; what is brighter than white bends towards it. */
function encode(light: number): number {
  const value = light > 0.8 ? 0.8 + 0.2 * (1 - Math.exp((0.8 - light) / 0.2)) : Math.max(0, light)
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
}
