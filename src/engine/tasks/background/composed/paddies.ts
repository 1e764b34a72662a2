import { type LightProbe, type Rgb, readProbe } from '#engine/image/light-probe.ts'
import { clamp, smoothstep } from '#engine/image/numbers.ts'
import { createSeededRandom, type SeededRandom } from '#engine/image/random.ts'
import type { LinearRgb } from '../canvas.ts'
import { luminance, scaleColour } from '../scene.ts'
import { degree, enlarge, lightFrom, limitSun, longitudeOf, size } from './sky.ts'
import { eye, fresnel } from './water.ts'

/** Longitude in degrees along which the dikes run. */
const middle = -60
/** Degrees below the horizon in which the photographed field goes over into paddies. */
const seam = { from: 1.2, to: 2.6 } as const
/** Metres of a paddy, of the dike around it, and between rows of plants. */
const paddy = { wide: 17, long: 8.5, dike: 0.45, row: 0.28 } as const
/** Metres from the camera at which its grass ends. */
const stand = { from: 2.6, to: 3.3 } as const
/** Share of paddies whose plants are young and stand in open water; of ripe ones. */
const shares = { young: 0.5, ripe: 0.2 } as const
const plant: LinearRgb = [0.062, 0.135, 0.026]
const ripe: LinearRgb = [0.15, 0.19, 0.035]
const mud: LinearRgb = [0.056, 0.055, 0.036]
const dikeGrass: LinearRgb = [0.05, 0.09, 0.022]
/** Green light that the photographed grass sends back, of what it receives. */
const grassGreen = 0.11
/** Light of the low sun on a surface that faces it, as multiples of the sky's on the ground. */
const sun: LinearRgb = [2.2, 2, 1.5]

/**
 * The surroundings of a camera between paddies: sky, trees and far field of the given probe, and
 * young rice in water that reflects them.
 */
export function composePaddies(probe: LightProbe): LightProbe {
  const chance = createSeededRandom(9)
  const { width, height } = size
  const field = enlarge(probe)
  const { data } = field
  limitSun(field, scaleColour(sun, luminance(lightFrom(field))))
  const level = greenOf(field) / grassGreen
  const source = { ...field, data: data.slice() }
  const mirrored = (x: number, y: number, out: Rgb) => readProbe(source, x, height - 1 - y, out)
  const shade = createPaddies({ level, mirrored, chance })
  const out: Rgb = [0, 0, 0]
  for (let y = height / 2 + 1; y < height; y++) {
    const share = smoothstep(seam.from, seam.to, ((y + 0.5) / height - 0.5) * 180)
    if (share === 0) continue
    for (let x = 0; x < width; x++) {
      const sums = [0, 0, 0]
      for (let part = 0; part < 4; part++) {
        shade(x + 0.5 * (part & 1) - 0.25, y + 0.5 * (part >> 1) - 0.25, out)
        for (let c = 0; c < 3; c++) sums[c] = (sums[c] as number) + (out[c] as number) / 4
      }
      for (let c = 0; c < 3; c++) {
        const i = 3 * (y * width + x) + c
        data[i] = (data[i] as number) * (1 - share) + share * (sums[c] as number)
      }
    }
  }
  return field
}

/** Mean green of the ground. */
function greenOf({ width, height, data }: LightProbe): number {
  let [sum, count] = [0, 0]
  for (let y = Math.floor(0.6 * height); y < 0.8 * height; y += 3)
    for (let x = 0; x < width; x += 5, count++) sum += data[3 * (y * width + x) + 1] as number
  return sum / count
}

interface PaddyLight {
  /** Light on level ground. */
  level: number
  /** Light that still water reflects at a column and a row. */
  mirrored: (x: number, y: number, out: Rgb) => void
  chance: SeededRandom
}

/** Light of the ground at a column and a row. */
function createPaddies({ level, mirrored, chance }: PaddyLight) {
  const { height } = size
  const sky: Rgb = [0, 0, 0]
  return (x: number, y: number, out: Rgb) => {
    const down = ((y + 0.5) / height - 0.5) * Math.PI
    const turn = (longitudeOf(x) - middle) * degree
    const away = eye / Math.tan(down)
    const [gx, gz] = [away * Math.sin(turn), away * Math.cos(turn)]
    // Dikes follow the land, not a grid.
    const across = gx * 0.94 + gz * 0.34 + 1.6 * chance.noise(gx / 19, gz / 19)
    const ahead = gz * 0.94 - gx * 0.34 + 2 * chance.noise(gx / 23 + 7, gz / 17)
    const line = Math.floor(ahead / paddy.long)
    const along = across / paddy.wide + chance.cell(line & 255, 3)
    const column = Math.floor(along)
    const kind = chance.cell(column & 255, line & 255)
    const edge = Math.min(
      ahead - line * paddy.long,
      (line + 1) * paddy.long - ahead,
      paddy.wide * Math.min(along - column, column + 1 - along),
    )
    // The camera and the subject stand on grass.
    const bank = smoothstep(stand.to, stand.from, away + 0.5 * chance.noise(gx / 0.9, gz / 0.9))
    const dike = Math.max(bank, smoothstep(paddy.dike + 0.25, paddy.dike, edge))
    const facing = eye / Math.hypot(away, eye)
    const grazing = clamp(1.15 - 1.5 * facing, 0, 1)
    const cover = kind < shares.young ? youngCover(chance, { gx, gz, across, away, grazing, age: kind }) : 1
    const ripples = 1.5 * chance.noise(gx * 1.5, gz * 0.7)
    mirrored(x, y + ripples, sky)
    const reflected = fresnel(facing)
    const own = 0.18 * (chance.cell(column & 255, (line + 77) & 255) - 0.5)
    const tone = level * (1 + 0.3 * chance.fractal(gx / 2.6, gz / 2.6, 3) + own)
    const leaves = kind > 1 - shares.ripe ? ripe : plant
    for (let c = 0; c < 3; c++) {
      const leaf = (leaves[c] as number) * tone * (1.15 - 0.35 * facing)
      const water = reflected * Math.min(6 * level, sky[c] as number) + (1 - reflected) * (mud[c] as number) * level
      const field = cover * leaf + (1 - cover) * water
      out[c] = dike * (dikeGrass[c] as number) * tone + (1 - dike) * field
    }
  }
}

interface YoungRice {
  gx: number
  gz: number
  across: number
  away: number
  grazing: number
  age: number
}

/** Share of the water that young plants hide: tufts in rows near the camera, more at a distance. */
function youngCover(chance: SeededRandom, { gx, gz, across, away, grazing, age }: YoungRice): number {
  const seen = clamp(1.2 - away / 22, 0, 1)
  const stand = clamp((0.3 + 0.8 * age) * (0.25 + 0.75 * grazing) + 0.3 * chance.fractal(gx / 1.7, gz / 1.7, 2), 0, 1)
  if (seen === 0) return stand
  const row = Math.cos((2 * Math.PI * across) / paddy.row + 0.6 * chance.noise(gx / 0.5, gz / 0.5))
  const tufts = smoothstep(-0.3, 0.9, row + 0.5 * chance.noise(gx / 0.12, gz / 0.2))
  return clamp(stand * (1 - seen) + seen * (0.35 * stand + 0.7 * tufts * (0.4 + stand)), 0, 1)
}
