import type { LightProbe, Rgb } from '#engine/image/light-probe.ts'
import { smoothstep } from '#engine/image/numbers.ts'
import { createSeededRandom, type SeededRandom } from '#engine/image/random.ts'
import type { LinearRgb } from '../canvas.ts'
import { luminance, scaleColour } from '../scene.ts'
import { addCoast, createBeach } from './land.ts'
import {
  type ClearSky,
  degree,
  horizonColours,
  lightFrom,
  limitSun,
  longitudeOf,
  type Sun,
  sampleSky,
  size,
  skyOf,
} from './sky.ts'
import { createWater, eye } from './water.ts'

/** A beach under the photographed sky of another probe. */
export interface Seashore {
  /** Longitude in degrees at which the camera looks straight out to sea. */
  sea: number
  /** Wind in m/s, on which the waves' slopes depend. */
  wind: number
  /** Metres from the camera to the water, and of wet sand. */
  distance: number
  wet: number
  sun: Sun
  clearSky?: ClearSky
}

export const seashores = {
  /** For the probe of a sky with clouds. */
  day: {
    sea: 150,
    wind: 5,
    distance: 9,
    wet: 4.2,
    sun: { longitude: 34, latitude: 49, strength: 1.9, colour: [1, 0.93, 0.8] },
  },
  /** For the probe of a square beside a lagoon. */
  sunset: {
    sea: 55,
    wind: 5,
    distance: 8,
    wet: 6.5,
    sun: { longitude: 36, latitude: 2.6, strength: 1.3, colour: [1, 0.6, 0.28], disc: true },
    clearSky: { free: [0, 110], above: 7, mast: { from: 42, to: 58, below: 14 } },
  },
} as const satisfies Record<string, Seashore>

/**
 * The surroundings of a camera on a beach: sky of the given probe; sea that reflects it by the
 * slopes of its waves (Cox & Munk 1954) and Fresnel's law, with the colour of its depth and glints
 * of the sun; breakers, wet and dry sand.
 */
export function composeSeashore(probe: LightProbe, shore: Seashore): LightProbe {
  const chance = createSeededRandom(5)
  const upper = skyOf(probe, shore)
  const skyLight = lightFrom(upper)
  const { sun } = shore
  const toSun = [
    Math.sin((sun.longitude - shore.sea) * degree) * Math.cos(sun.latitude * degree),
    Math.sin(sun.latitude * degree),
    Math.cos((sun.longitude - shore.sea) * degree) * Math.cos(sun.latitude * degree),
  ] as const
  const sunLight = scaleColour(sun.colour, (sun.strength * luminance(skyLight)) / luminance(sun.colour))
  const ground = [0, 1, 2].map(
    (c) => (skyLight[c] as number) + (sunLight[c] as number) * Math.max(0, toSun[1]),
  ) as unknown as LinearRgb
  const cap = 6 * luminance(skyLight)
  if (!sun.disc) limitSun(upper, sunLight)
  const sky = (x: number, y: number, z: number, out: Rgb) => sampleSky(upper, shore.sea, [x, y, z], cap, out)
  const water = createWater({ wind: shore.wind, sky, sunLight, toSun, ground, chance })
  const beach = createBeach({ wet: shore.wet, sky, ground, sunLight, toSun, chance })
  const data = upper.data.slice()
  const { width, height } = size
  const horizon = horizonColours(upper)
  addCoast(data, shore.sea, { ground, horizon, chance })
  const own: Rgb = [0, 0, 0]
  const other: Rgb = [0, 0, 0]
  for (let y = height / 2; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sums = [0, 0, 0]
      // Land is not seen, but lights the subject.
      const isSeen = Math.cos((longitudeOf(x) - shore.sea) * degree) > -0.25
      const parts = isSeen && y < height * 0.56 ? 4 : 1
      for (let part = 0; part < parts; part++) {
        const [right, below] = parts === 1 ? [0.5, 0.5] : [0.25 + 0.5 * (part & 1), 0.25 + 0.5 * (part >> 1)]
        const down = ((y + below) / height - 0.5) * Math.PI
        const across = (longitudeOf(x + right - 0.5) - shore.sea) * degree
        const away = eye / Math.tan(down)
        const [aside, ahead] = [away * Math.sin(across), away * Math.cos(across)]
        const beyond = ahead - shoreline(chance, shore.distance, aside)
        if (beyond > -0.6) water(aside, ahead, beyond, away, own)
        if (beyond < 0.6) beach(aside, ahead, beyond, away, other)
        // A thin film of water runs out on the sand.
        const wet = smoothstep(-0.6, 0.6, beyond)
        // Haze over kilometres.
        const haze = 1 - Math.exp(-away / 5500)
        for (let c = 0; c < 3; c++) {
          const light = wet * (own[c] as number) + (1 - wet) * (other[c] as number)
          sums[c] = (sums[c] as number) + light * (1 - haze) + haze * (horizon[3 * x + c] as number)
        }
      }
      for (let c = 0; c < 3; c++) data[3 * (y * width + x) + c] = (sums[c] as number) / parts
    }
  }
  return { ...size, data }
}

/** Metres ahead at which the water ends, with cusps. */
const shoreline = (chance: SeededRandom, distance: number, aside: number) =>
  distance + 1.1 * chance.noise(aside / 17, 3.7) + 0.45 * chance.noise(aside / 5, 8.1)
