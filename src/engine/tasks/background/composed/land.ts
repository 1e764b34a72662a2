import type { Rgb } from '#engine/image/light-probe.ts'
import { clamp, smoothstep } from '#engine/image/numbers.ts'
import type { SeededRandom } from '#engine/image/random.ts'
import type { LinearRgb } from '../canvas.ts'
import { mixColours } from '../scene.ts'
import { degree, longitudeOf, size, turned } from './sky.ts'
import { eye, fresnel, type Shade, type Surface, sand } from './water.ts'

/** Sand, wet for so many metres from the water. */
export function createBeach({ wet, sky, ground, sunLight, toSun, chance }: Surface & { wet: number }): Shade {
  const scratch: Rgb = [0, 0, 0]
  return (aside, ahead, beyond, away, out) => {
    const inland = beyond < -20 ? -beyond : -beyond + 0.9 * chance.fractal(aside / 6, beyond / 9, 3)
    const dryness = smoothstep(0.4 * wet, 1.4 * wet, inland)
    const tint = mixColours(sand.wet, sand.dry, dryness)
    const step = 0.12
    const height = (x: number, z: number) =>
      0.05 * chance.fractal(x / 1.9, z / 1.3, 2) + 0.035 * dryness * chance.fractal(x / 0.45, z / 0.4, 3)
    // Behind the camera and at its feet the sand is never seen, only its light.
    const fine = ahead < -2 || away < 1 ? 0 : smoothstep(26, 9, away)
    let [sx, sz] = [0, 0]
    if (fine > 0) {
      const here = height(aside, ahead)
      sx = (fine * (height(aside + step, ahead) - here)) / step
      sz = (fine * (height(aside, ahead + step) - here)) / step
    }
    const scale = 1 / Math.hypot(sx, 1, sz)
    const lit = Math.max(0, (-sx * toSun[0] + toSun[1] - sz * toSun[2]) * scale)
    const tide = Math.abs(inland - 1.4 * wet) < 1 ? 0.5 * chance.noise(aside / 4, 1.3) : 0
    const wrack = smoothstep(0.16, 0, Math.abs(inland - 1.4 * wet - tide) - 0.1)
    const litter = wrack === 0 ? 0 : 0.22 * wrack * smoothstep(-0.1, 0.35, chance.fractal(aside / 0.6, ahead / 0.3, 3))
    const patches = 1 + 0.1 * chance.noise(aside / 7, ahead / 6)
    const mottle = fine > 0 ? patches + 0.16 * chance.fractal(aside / 0.9, ahead / 0.7, 4) : patches
    const far = Math.hypot(away, eye)
    const facing = eye / far
    const film = smoothstep(wet, 0.2, inland)
    if (film > 0) sky(aside / far, facing, ahead / far, scratch)
    const mirrored = film * fresnel(facing)
    for (let c = 0; c < 3; c++) {
      const level = (ground[c] as number) + (sunLight[c] as number) * (lit - Math.max(0, toSun[1]))
      const body = (tint[c] as number) * mottle * (1 - litter) * Math.max(0.15 * (ground[c] as number), level)
      out[c] = body * (1 - mirrored) + mirrored * (scratch[c] as number)
    }
  }
}
/** Trees behind the beach: metres inland, and of their height. */
const trees = { inland: 38, height: 9 } as const
/** Longitude from the sea's, half width and height in degrees, and share of haze. */
const headlands = [
  { at: -58, wide: 34, high: 3.4, haze: 0.62 },
  { at: -80, wide: 22, high: 4.4, haze: 0.42 },
  { at: 47, wide: 10, high: 1.1, haze: 0.8 },
] as const
const leaves: LinearRgb = [0.035, 0.058, 0.02]

/** Hills beyond the water, and the trees behind the beach, above the horizon. In place. */
export function addCoast(
  data: Float32Array,
  sea: number,
  { ground, horizon, chance }: { ground: LinearRgb; horizon: Float32Array; chance: SeededRandom },
): void {
  const { width, height } = size
  for (let x = 0; x < width; x++) {
    const turn = turned(longitudeOf(x) - sea)
    const cover = (top: number, haze: number, textured: number) => {
      for (let y = Math.floor(height * (0.5 - (top + 1) / 180)); y < height / 2; y++) {
        const up = (0.5 - (y + 0.5) / height) * 180
        const share = clamp((top - up) / 0.35 + 0.5, 0, 1)
        // Crowns are lighter above.
        const crown = 1 + textured * (0.9 * chance.fractal(turn * 1.3, up * 1.3, 3) + 0.5 * (up / top - 0.5))
        for (let c = 0; c < 3; c++) {
          const i = 3 * (y * width + x) + c
          const light = (leaves[c] as number) * (ground[c] as number) * Math.max(0.25, crown)
          const seen = light * (1 - haze) + haze * (horizon[3 * x + c] as number)
          data[i] = (data[i] as number) * (1 - share) + share * seen
        }
      }
    }
    for (const { at, wide, high, haze } of headlands) {
      const inside = 1 - ((turn - at) / wide) ** 2
      if (inside > 0) cover(high * inside ** 0.7 * (0.85 + 0.3 * chance.fractal(turn / 7, at, 4)), haze, 0.4)
    }
    const behind = -Math.cos(turn * degree)
    if (behind <= 0.02) continue
    const away = trees.inland / behind
    const aside = away * Math.sin(turn * degree)
    const tall = trees.height * (1 + 0.45 * chance.fractal(aside / 9, 2.2, 4))
    cover(Math.atan(tall / away) / degree, 1 - Math.exp(-away / 2500), 1)
  }
}
