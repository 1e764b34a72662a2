import type { EngineHost } from '#engine/host.ts'
import type { Picture, Size } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { createSeededRandom } from '#engine/image/random.ts'
import { createCanvas, type LinearRgb, paintPixels } from '#engine/tasks/background/canvas.ts'
import { develop, developScene } from '#engine/tasks/background/develop-scene.ts'
import { office, windowLight } from '#engine/tasks/background/interiors.ts'
import { renderLocation, type SubjectCamera } from '#engine/tasks/background/locations.ts'
import { garden, nightBokeh } from '#engine/tasks/background/outdoors.ts'
import { mixColours, neutralWishes, type Scene, scaleColour } from '#engine/tasks/background/scene.ts'
import { type AnyLocationId, isLocation } from '../../scenes.ts'

/** Seamless paper or painted canvas with one lamp. */
interface Sheet {
  /**
   * Colours of the brightest area and of where the light has fallen off; on canvas, of its clouds.
   */
  lit: LinearRgb
  dark: LinearRgb
  /** Centre and radius of the light, as shares of the picture from its upper left corner. */
  spot: readonly [x: number, y: number, reach: number]
  uneven?: number
  painted?: true
}

interface DistantScene {
  scene: Scene
  seed: number
  brightness: number
}

export const backdrops = {
  grey: { lit: [0.328, 0.334, 0.339], dark: [0.065, 0.067, 0.072], spot: [0.5, 0.42, 0.72], uneven: 0.035 },
  white: { lit: [1.648, 1.648, 1.605], dark: [0.622, 0.642, 0.684], spot: [0.46, 0.4, 0.95], uneven: 0.012 },
  charcoal: { lit: [0.065, 0.067, 0.072], dark: [0.008, 0.008, 0.01], spot: [0.62, 0.5, 0.6], uneven: 0.05 },
  sand: { lit: [0.752, 0.532, 0.375], dark: [0.211, 0.154, 0.114], spot: [0.38, 0.36, 0.85], uneven: 0.03 },
  blue: { lit: [0.096, 0.178, 0.328], dark: [0.012, 0.023, 0.049], spot: [0.5, 0.46, 0.68], uneven: 0.04 },
  sage: { lit: [0.203, 0.328, 0.22], dark: [0.041, 0.072, 0.048], spot: [0.6, 0.38, 0.78], uneven: 0.03 },
  canvas: { lit: [0.178, 0.147, 0.118], dark: [0.076, 0.063, 0.052], spot: [0.5, 0.45, 0.75], painted: true },
  window: { scene: windowLight, seed: 3, brightness: -0.6 },
  office: { scene: office, seed: 4, brightness: -0.6 },
  garden: { scene: garden, seed: 8, brightness: -0.6 },
  evening: { scene: nightBokeh, seed: 12, brightness: 0 },
} as const satisfies Record<string, Sheet | DistantScene>

type DrawnName = keyof typeof backdrops
export type BackdropName = DrawnName | AnyLocationId

interface BackdropRequest extends Size {
  /** Camera of the portrait, and direction of the view of a location, from 1. */
  camera: SubjectCamera
  view: number
  /** White balance for a location. */
  balance?: readonly [number, number, number] | undefined
  /** Strength of the grain of a location, 1 by default. */
  grain?: number
}

/** An opaque backdrop: a studio sheet, a drawn scene or the view of a location. */
export async function renderBackdrop(
  name: BackdropName,
  { width, height, camera, view, balance, grain = 1 }: BackdropRequest,
  host: Pick<EngineHost, 'surroundings'>,
): Promise<Picture> {
  if (!isLocation(name)) return drawBackdrop(name, width, height)
  const wishes = neutralWishes()
  return renderLocation(await host.surroundings(name), {
    id: name,
    width,
    height,
    seed: view,
    wishes,
    camera,
    area,
    grain,
    ...(balance && { balance }),
  })
}

/** In pixels; backdrops are soft, so they are painted small and enlarged. */
const area = 420 ** 2

export function drawBackdrop(name: DrawnName, width: number, height: number): Picture {
  const backdrop: Sheet | DistantScene = backdrops[name]
  if ('scene' in backdrop) {
    const { scene, seed, brightness } = backdrop
    const wishes = { ...neutralWishes(), brightness, blur: 1 }
    return developScene(scene, { width, height, seed, wishes, side: -0.5, area })
  }
  const canvas = paintSheet(backdrop, fitArea({ width, height }, area))
  return develop(canvas, width, height, { wishes: neutralWishes(), seed: 3, vignette: 0 })
}

/** Light falls off with the squared distance; the bend at the paper's bottom receives less. */
function paintSheet({ lit, dark, spot, uneven = 0, painted }: Sheet, { width, height }: Size) {
  const canvas = createCanvas(width, height)
  const chance = createSeededRandom(11)
  const [across, down, reach] = [(spot[0] - 0.5) * (width / height), spot[1], spot[2] * Math.max(1, width / height)]
  paintPixels(canvas, (x, y, out) => {
    const light = 1 / (1 + 3.2 * (Math.hypot(x - across, y - down) / reach) ** 2) ** 1.5
    const bend = 1 - 0.25 * Math.max(0, y - 0.62) ** 1.5
    const paper = light * bend * (1 + uneven * chance.fractal(2.7 * x, 2.7 * y, 3))
    const clouds = Math.min(1, Math.max(0, 0.42 + 0.85 * chance.fractal(3 * x, 3 * y, 5)))
    const own = painted ? scaleColour(mixColours(dark, lit, clouds), 0.35 + 0.95 * light) : mixColours(dark, lit, paper)
    for (let c = 0; c < 3; c++) out[c] = own[c] as number
  })
  return canvas
}
