import type { Rgb } from '#engine/image/light-probe.ts'
import { clamp, smoothstep } from '#engine/image/numbers.ts'
import type { SeededRandom } from '#engine/image/random.ts'
import type { LinearRgb } from '../canvas.ts'
import { size } from './sky.ts'

/** Metres of the camera above the water. */
export const eye = 1.75
/** Refraction of sea water against air. */
const reflectance0 = 0.02
/** Per sample; a pixel has four. */
const facets = 10
/** Light that comes back from deep water, and the absorption per metre of shallow water. */
const deep: LinearRgb = [0.006, 0.036, 0.06]
const absorption: LinearRgb = [0.42, 0.075, 0.06]
export const sand = { dry: [0.56, 0.465, 0.345], wet: [0.25, 0.195, 0.135] } as const satisfies Record<
  string,
  LinearRgb
>
/** Rise of the sea floor per metre. */
const floorSlope = 0.035

type Sky = (x: number, y: number, z: number, out: Rgb) => void
export const fresnel = (cosine: number) => reflectance0 + (1 - reflectance0) * (1 - clamp(cosine, 0, 1)) ** 5

export interface Surface {
  sky: Sky
  sunLight: LinearRgb
  toSun: readonly [number, number, number]
  /** Light on level ground. */
  ground: LinearRgb
  chance: SeededRandom
}

/** Light of a point, by its position in metres from the camera and from the edge of the water. */
export type Shade = (aside: number, ahead: number, beyond: number, away: number, out: Rgb) => void

/** Waves that are seen one by one: directions, wave numbers, slopes and phases. */
function createWaves(chance: SeededRandom) {
  return Array.from({ length: 26 }, (_, i) => {
    const length = 0.7 * 1.17 ** i
    const turn = chance.between(-0.6, 0.6)
    const number = (2 * Math.PI) / length
    return {
      length,
      x: number * Math.sin(turn),
      z: number * Math.cos(turn),
      slope: 0.03,
      phase: chance.between(0, 2 * Math.PI),
    }
  })
}

/** Sea by the slopes of its waves (Cox & Munk 1954), `wind` in m/s. */
export function createWater({ wind, sky, sunLight, toSun, ground, chance }: Surface & { wind: number }): Shade {
  const waves = createWaves(chance)
  const variance = (0.003 + 0.00512 * wind) / 2
  const scratch: Rgb = [0, 0, 0]
  const foam = createFoam(chance)
  const [dLon, dLat] = [(2 * Math.PI) / size.width / 2, Math.PI / size.height / 2]
  return (aside, ahead, beyond, away, out) => {
    const far = Math.hypot(away, eye)
    const view = [-aside / far, eye / far, -ahead / far] as const
    const [across, along] = [away * dLon, ((away * away) / eye) * dLat]
    // Patches of rougher water by gusts, longer towards the horizon.
    const gust = 1 + 0.35 * chance.fractal(aside / (14 + 0.3 * away), Math.log(1 + away) * 3.1, 3)
    let [sx, sz, seen] = [0, 0, 0]
    for (const { length, x, z, slope, phase } of waves) {
      const fade = clamp(length / (2.5 * along) - 0.4, 0, 1)
      if (fade <= 0) continue
      const lift = slope * fade * Math.cos(x * aside + z * ahead + phase)
      const number = Math.hypot(x, z)
      sx += (lift * x) / number
      sz += (lift * z) / number
      seen += (slope * fade) ** 2 / 2
    }
    const spread = Math.sqrt(Math.max(0.25 * variance, variance * gust - seen / 2))
    // Depth of clear water over sand, with sandbanks.
    const depth = Math.max(0.02, floorSlope * beyond * (1 + 0.35 * chance.noise(aside / 23, beyond / 9)))
    out[0] = out[1] = out[2] = 0
    let [weights, enters] = [0, 0]
    for (let k = 0; k < facets; k++) {
      // Slopes by equal shares of a normal distribution.
      const radius = spread * Math.sqrt(-2 * Math.log(1 - (k + chance.next()) / facets))
      const angle = 2.399963 * k + 6.2832 * chance.next() * 0.15
      const [nx, nz] = [-(sx + radius * Math.cos(angle)), -(sz + radius * Math.sin(angle))]
      const scale = 1 / Math.hypot(nx, 1, nz)
      const facing = (view[0] * nx + view[1] + view[2] * nz) * scale
      if (facing <= 0) continue
      const weight = facing / scale
      const [rx, ry, rz] = [
        2 * facing * nx * scale - view[0],
        2 * facing * scale - view[1],
        2 * facing * nz * scale - view[2],
      ]
      const mirrored = fresnel(facing)
      // Light that comes from another wave comes from the sky behind it.
      sky(rx, Math.abs(ry), rz, scratch)
      for (let c = 0; c < 3; c++) out[c] = (out[c] as number) + weight * mirrored * (scratch[c] as number)
      enters += weight * (1 - mirrored)
      weights += weight
    }
    if (weights === 0) weights = 1
    const glint = glints(view, [sx, sz], variance * gust, toSun)
    const rough = glint * sparkle(chance, across * along * 4)
    const white = foam(aside, beyond)
    for (let c = 0; c < 3; c++) {
      const clear = Math.exp(-2 * (absorption[c] as number) * depth * 1.4)
      const body = ((deep[c] as number) * (1 - clear) + 0.75 * (sand.wet[c] as number) * clear) * (ground[c] as number)
      const surface = ((out[c] as number) + enters * body) / Math.max(1e-6, weights) + rough * (sunLight[c] as number)
      out[c] = surface * (1 - white) + white * 0.78 * (ground[c] as number)
    }
  }
}

/** Light of the sun's glints for a sun of irradiance 1 (Cox & Munk 1954, equation 9). */
function glints(
  view: readonly [number, number, number],
  [sx, sz]: readonly [number, number],
  variance: number,
  toSun: readonly [number, number, number],
): number {
  const half = [view[0] + toSun[0], view[1] + toSun[1], view[2] + toSun[2]] as const
  const length = Math.hypot(...half)
  const up = half[1] / length
  if (up <= 0.05) return 0
  const [tx, tz] = [-half[0] / half[1] - sx, -half[2] / half[1] - sz]
  const likely = Math.exp(-(tx * tx + tz * tz) / (2 * variance)) / (2 * Math.PI * variance)
  const facing = (view[0] * half[0] + view[1] * half[1] + view[2] * half[2]) / length
  return (fresnel(facing) * likely) / (4 * up ** 4 * Math.max(0.06, view[1]))
}

/** Few facets of a small area glitter, and then strongly: mean 1. */
function sparkle(chance: SeededRandom, area: number): number {
  const share = clamp(1.6 * Math.sqrt(area), 0.05, 0.8)
  return chance.next() < share ? -Math.log(1 - chance.next()) / share : 0
}

/** Breakers along the shore, their traces, and the edge of the water on the sand. */
function createFoam(chance: SeededRandom): (aside: number, beyond: number) => number {
  const rows = [0.3, 6, 20].map((at, k) => ({
    at,
    width: 0.3 + 0.2 * k,
    shift: chance.between(0, 90),
    share: [0.12, -0.16, -0.24][k] as number,
  }))
  return (aside, beyond) => {
    let foam = 0
    for (const [k, { at, width, shift, share }] of rows.entries()) {
      const line = beyond - at - (0.5 + 0.45 * k) * chance.noise(aside / (9 + 6 * k) + shift, k)
      if (line < -2 * width || line > 7 * width) continue
      const present = smoothstep(-0.12, 0.3, chance.noise(aside / (11 + 7 * k) + shift, 5.3 * k) + share + 0.18)
      // Steep towards the shore, lace towards the sea.
      const profile = line < 0 ? Math.exp(-((line / (0.4 * width)) ** 2)) : Math.exp(-line / (1.6 * width))
      const lace = smoothstep(-0.35, 0.35, chance.fractal(aside / 0.7, beyond / 0.5 + shift, 3) + 1.1 * profile - 0.35)
      foam = Math.max(foam, present * profile * lace)
    }
    return clamp(1.15 * foam, 0, 1)
  }
}
