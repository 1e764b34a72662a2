import type { LightProbe } from '#engine/image/light-probe.ts'
import { clamp, smoothstep } from '#engine/image/numbers.ts'
import { createSeededRandom, type SeededRandom } from '#engine/image/random.ts'
import type { LinearRgb } from './canvas.ts'
import { luminance, mixColours, scaleColour } from './scene.ts'

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

interface Sun {
  longitude: number
  latitude: number
  /** Light on a surface that faces it, as a multiple of that of the sky on the ground. */
  strength: number
  colour: LinearRgb
  /** Draws its disc, which the sky's own pixels lost. */
  disc?: true
}

/** A sky without clouds whose horizon is hidden by buildings or trees in some directions. */
interface ClearSky {
  /** Longitudes in degrees, counted from the sun's, that are free. */
  free: readonly [from: number, to: number]
  /** Latitude in degrees above which nothing stands. */
  above: number
  /** Longitudes in degrees between which something taller stands. */
  mast: { from: number; to: number; below: number }
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

/** Finer than the sky: waves and foam are small. */
const size = { width: 768, height: 384 } as const
/** Metres of the camera above the water. */
const eye = 1.75
const degree = Math.PI / 180
/** Refraction of sea water against air. */
const reflectance0 = 0.02
/** Per sample; a pixel has four. */
const facets = 10
/** Light that comes back from deep water, and the absorption per metre of shallow water. */
const deep: LinearRgb = [0.006, 0.036, 0.06]
const absorption: LinearRgb = [0.42, 0.075, 0.06]
const sand = { dry: [0.56, 0.465, 0.345], wet: [0.25, 0.195, 0.135] } as const satisfies Record<string, LinearRgb>
/** Rise of the sea floor per metre. */
const floorSlope = 0.035

type Sky = (x: number, y: number, z: number, out: number[]) => void

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
  const sky: Sky = (x, y, z, out) => sampleSky(upper, shore.sea, [x, y, z], cap, out)
  const water = createWater({ shore, sky, sunLight, toSun, ground, chance })
  const beach = createBeach({ shore, sky, ground, sunLight, toSun, chance })
  const data = upper.data.slice()
  const { width, height } = size
  addCoast(data, shore, { ground, horizon: horizonColours(upper), chance })
  const [own, other] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  const horizon = horizonColours(upper)
  for (let y = height / 2; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sums = [0, 0, 0]
      // Land is not seen, but lights the subject.
      const isSeen = Math.cos((((x + 0.5) / width - 0.5) * 360 - shore.sea) * degree) > -0.25
      const parts = isSeen && y < height * 0.56 ? 4 : 1
      for (let part = 0; part < parts; part++) {
        const [right, below] = parts === 1 ? [0.5, 0.5] : [0.25 + 0.5 * (part & 1), 0.25 + 0.5 * (part >> 1)]
        const down = ((y + below) / height - 0.5) * Math.PI
        const across = (((x + right) / width - 0.5) * 360 - shore.sea) * degree
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

/** Light above this multiple of the sky's mean is the sun's. */
const brightestSky = 8

/** Light from which on a pixel of the sky shows the sun. */
function sunLevel({ data }: LightProbe): number {
  let sum = 0
  for (let i = 1; i < data.length / 2; i += 3) sum += Math.min(data[i] as number, 2)
  return brightestSky * (sum / (data.length / 6))
}

/** Solid angles of the upper rows' pixels. */
const angles = Float32Array.from(
  { length: size.height / 2 },
  (_, y) =>
    ((2 * Math.PI * Math.PI) / (size.width * size.height)) * Math.cos((0.5 - (y + 0.5) / size.height) * Math.PI),
)

/** Light of the sky without its sun on level ground: an even light of 1 gives 1. */
function lightFrom(sky: LightProbe): LinearRgb {
  const most = sunLevel(sky)
  const sums: [number, number, number] = [0, 0, 0]
  for (let y = 0, i = 0; y < size.height / 2; y++) {
    const share = ((angles[y] as number) * Math.sin((0.5 - (y + 0.5) / size.height) * Math.PI)) / Math.PI
    for (let x = 0; x < size.width; x++)
      for (let c = 0; c < 3; c++, i++) sums[c] = (sums[c] as number) + share * Math.min(most, sky.data[i] as number)
  }
  return sums
}

/** Gives the sun's pixels the given light in all: as strong as it is on the ground. In place. */
function limitSun(sky: LightProbe, sunLight: LinearRgb): void {
  const { data } = sky
  const most = sunLevel(sky)
  const bright: number[] = []
  let sum = 0
  for (let i = 0; i < data.length / 2; i += 3) {
    if ((data[i + 1] as number) <= most) continue
    bright.push(i)
    sum += ((data[i + 1] as number) - most) * ((angles[Math.floor(i / 3 / size.width)] as number) / Math.PI)
  }
  for (const i of bright) {
    const share = ((data[i + 1] as number) - most) / sum
    for (let c = 0; c < 3; c++) data[i + c] = Math.min(most, data[i + c] as number) + share * (sunLight[c] as number)
  }
}

/** Metres ahead at which the water ends, with cusps. */
const shoreline = (chance: SeededRandom, distance: number, aside: number) =>
  distance + 1.1 * chance.noise(aside / 17, 3.7) + 0.45 * chance.noise(aside / 5, 8.1)

/** Colours just above the horizon, evened out along it. */
function horizonColours({ width, height, data }: LightProbe): Float32Array {
  const rows = [2, 3, 4, 5].map((up) => height / 2 - up)
  return Float32Array.from({ length: 3 * width }, (_, i) => {
    const [x, c] = [Math.floor(i / 3), i % 3]
    let sum = 0
    for (const y of rows)
      for (let k = -4; k <= 4; k++) sum += data[3 * (y * width + ((x + k + width) % width)) + c] as number
    return sum / rows.length / 9
  })
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
function addCoast(
  data: Float32Array,
  { sea }: Seashore,
  { ground, horizon, chance }: { ground: LinearRgb; horizon: Float32Array; chance: SeededRandom },
): void {
  const { width, height } = size
  for (let x = 0; x < width; x++) {
    const turn = ((((((x + 0.5) / width - 0.5) * 360 - sea + 180) % 360) + 360) % 360) - 180
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

function readProbe({ width, height, data }: LightProbe, u: number, v: number, out: number[]): void {
  const [u0, v0] = [Math.floor(u), Math.min(height - 2, Math.max(0, Math.floor(v)))]
  const [fu, fv] = [u - u0, clamp(v - v0, 0, 1)]
  const [left, right] = [((u0 % width) + width) % width, (((u0 + 1) % width) + width) % width]
  const [above, below] = [v0 * width, (v0 + 1) * width]
  for (let c = 0; c < 3; c++) {
    const at = (row: number, column: number) => data[3 * (row + column) + c] as number
    out[c] =
      (1 - fv) * ((1 - fu) * at(above, left) + fu * at(above, right)) +
      fv * ((1 - fu) * at(below, left) + fu * at(below, right))
  }
}

/** The upper half at the size of the result; the lower half is dark until it is replaced. */
function skyOf(probe: LightProbe, { clearSky, sun }: Seashore): LightProbe {
  const { width, height } = size
  const data = new Float32Array(3 * width * height)
  const [out, beside] = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  const read = (longitude: number, latitude: number, light: number[]) =>
    readProbe(probe, (longitude / 360 + 0.5) * probe.width - 0.5, (0.5 - latitude / 180) * probe.height - 0.5, light)
  const readFree = (longitude: number, latitude: number) => {
    const { from, to, below } = clearSky?.mast ?? { from: 0, to: 0, below: 0 }
    if (latitude > below || longitude <= from || longitude >= to) return read(longitude, latitude, out)
    read(from, latitude, out)
    read(to, latitude, beside)
    const share = (longitude - from) / (to - from)
    for (let c = 0; c < 3; c++) out[c] = (out[c] as number) * (1 - share) + share * (beside[c] as number)
  }
  for (let y = 0; y < height / 2; y++) {
    const up = Math.max(0.4, (0.5 - (y + 0.5) / height) * 180)
    for (let x = 0; x < width; x++) {
      const longitude = ((x + 0.5) / width - 0.5) * 360
      if (clearSky) {
        const turn = ((((longitude - sun.longitude + 180) % 360) + 360) % 360) - 180
        const { free, above } = clearSky
        const [least, most] = free
        // Both sides of the sun show the free one; the sky below is that above, stretched.
        const from = sun.longitude + least + (Math.abs(turn) / 180) * (most - least)
        const stretch = 3 * above
        const latitude = up < stretch ? above + (up * (stretch - above)) / stretch : up
        readFree(from, latitude)
      } else {
        read(longitude, up, out)
      }
      data.set(out, 3 * (y * width + x))
    }
  }
  if (sun.disc) addSun({ ...size, data }, sun)
  return { ...size, data }
}

/** Radius in degrees: larger than the real one, so that it covers pixels; and its light. */
const disc = { radius: 0.75, level: 60 } as const
/** Colour of the low sun's light in the sky around it, and degrees in which it fades. */
const reddening = { colour: [1.22, 0.9, 0.74], reach: 48 } as const

/** Draws the disc and its glow into a sky that lost them. In place. */
function addSun({ width, height, data }: LightProbe, { longitude, latitude, colour }: Sun): void {
  for (let y = 0; y < height / 2; y++) {
    const up = (0.5 - (y + 0.5) / height) * 180
    for (let x = 0; x < width; x++) {
      const turn = ((((((x + 0.5) / width - 0.5) * 360 - longitude + 180) % 360) + 360) % 360) - 180
      const away = Math.hypot(turn * Math.cos(up * degree), up - latitude)
      const inside = clamp((disc.radius - away) / 0.35 + 0.5, 0, 1)
      const glow = 0.9 * Math.exp(-away / 2.2) + 0.28 * Math.exp(-away / 9)
      const near = Math.exp(-away / reddening.reach)
      for (let c = 0; c < 3; c++) {
        const i = 3 * (y * width + x) + c
        const own = (data[i] as number) * (reddening.colour[c] as number) ** near
        data[i] = own + (colour[c] as number) * disc.level * inside + (colour[c] as number) ** 1.6 * glow
      }
    }
  }
}

function sampleSky(
  probe: LightProbe,
  sea: number,
  [x, y, z]: readonly [number, number, number],
  cap: number,
  out: number[],
): void {
  const longitude = Math.atan2(x, z) / degree + sea
  const latitude = Math.asin(clamp(y, -1, 1)) / degree
  readProbe(
    probe,
    (longitude / 360 + 0.5) * probe.width - 0.5,
    (0.5 - Math.max(0.5, latitude) / 180) * probe.height - 0.5,
    out,
  )
  // All channels alike, so that the colour stays.
  const scale = Math.min(1, cap / Math.max(1e-6, out[0] as number, out[1] as number, out[2] as number))
  for (let c = 0; c < 3; c++) out[c] = scale * (out[c] as number)
}

const fresnel = (cosine: number) => reflectance0 + (1 - reflectance0) * (1 - clamp(cosine, 0, 1)) ** 5

interface Surface {
  sky: Sky
  sunLight: LinearRgb
  toSun: readonly [number, number, number]
  /** Light on level ground. */
  ground: LinearRgb
  chance: SeededRandom
}

type Shade = (aside: number, ahead: number, beyond: number, away: number, out: number[]) => void

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

function createWater({ shore, sky, sunLight, toSun, ground, chance }: Surface & { shore: Seashore }): Shade {
  const waves = createWaves(chance)
  const variance = (0.003 + 0.00512 * shore.wind) / 2
  const scratch = [0, 0, 0]
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

function createBeach({ shore, sky, ground, sunLight, toSun, chance }: Surface & { shore: Seashore }): Shade {
  const scratch = [0, 0, 0]
  return (aside, ahead, beyond, away, out) => {
    const inland = beyond < -20 ? -beyond : -beyond + 0.9 * chance.fractal(aside / 6, beyond / 9, 3)
    const dryness = smoothstep(0.4 * shore.wet, 1.4 * shore.wet, inland)
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
    const tide = Math.abs(inland - 1.4 * shore.wet) < 1 ? 0.5 * chance.noise(aside / 4, 1.3) : 0
    const wrack = smoothstep(0.16, 0, Math.abs(inland - 1.4 * shore.wet - tide) - 0.1)
    const litter = wrack === 0 ? 0 : 0.22 * wrack * smoothstep(-0.1, 0.35, chance.fractal(aside / 0.6, ahead / 0.3, 3))
    const patches = 1 + 0.1 * chance.noise(aside / 7, ahead / 6)
    const mottle = fine > 0 ? patches + 0.16 * chance.fractal(aside / 0.9, ahead / 0.7, 4) : patches
    const far = Math.hypot(away, eye)
    const facing = eye / far
    const film = smoothstep(shore.wet, 0.2, inland)
    if (film > 0) sky(aside / far, facing, ahead / far, scratch)
    const mirrored = film * fresnel(facing)
    for (let c = 0; c < 3; c++) {
      const level = (ground[c] as number) + (sunLight[c] as number) * (lit - Math.max(0, toSun[1]))
      const body = (tint[c] as number) * mottle * (1 - litter) * Math.max(0.15 * (ground[c] as number), level)
      out[c] = body * (1 - mirrored) + mirrored * (scratch[c] as number)
    }
  }
}
