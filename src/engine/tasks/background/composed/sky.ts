import { type LightProbe, type Rgb, readProbe } from '#engine/image/light-probe.ts'
import { clamp } from '#engine/image/numbers.ts'
import type { LinearRgb } from '../canvas.ts'

/** Size of composed probes: finer than the sky's, since lights, waves and foam are small. */
export const size = { width: 768, height: 384 } as const
export const degree = Math.PI / 180

export interface Sun {
  longitude: number
  latitude: number
  /** Light on a surface that faces it, as a multiple of that of the sky on the ground. */
  strength: number
  colour: LinearRgb
  /** Draws its disc, which the sky's own pixels lost. */
  disc?: true
}

/** A sky without clouds whose horizon is hidden by buildings or trees in some directions. */
export interface ClearSky {
  /** Longitudes in degrees, counted from the sun's, that are free. */
  free: readonly [from: number, to: number]
  /** Latitude in degrees above which nothing stands. */
  above: number
  /** Longitudes in degrees between which something taller stands. */
  mast: { from: number; to: number; below: number }
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
export function lightFrom(sky: LightProbe): LinearRgb {
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
export function limitSun(sky: LightProbe, sunLight: LinearRgb): void {
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

/** Colours just above the horizon, evened out along it. */
export function horizonColours({ width, height, data }: LightProbe): Float32Array {
  const rows = [2, 3, 4, 5].map((up) => height / 2 - up)
  return Float32Array.from({ length: 3 * width }, (_, i) => {
    const [x, c] = [Math.floor(i / 3), i % 3]
    let sum = 0
    for (const y of rows)
      for (let k = -4; k <= 4; k++) sum += data[3 * (y * width + ((x + k + width) % width)) + c] as number
    return sum / rows.length / 9
  })
}

/** A probe at the size of composed ones. */
export function enlarge(probe: LightProbe): LightProbe {
  const data = new Float32Array(3 * size.width * size.height)
  const out: Rgb = [0, 0, 0]
  for (let y = 0, i = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, i += 3) {
      readProbe(
        probe,
        ((x + 0.5) / size.width) * probe.width - 0.5,
        ((y + 0.5) / size.height) * probe.height - 0.5,
        out,
      )
      data.set(out, i)
    }
  }
  return { ...size, data }
}

/** Light in a direction in degrees. */
function readDirection(probe: LightProbe, longitude: number, latitude: number, out: Rgb): void {
  const { width, height } = probe
  readProbe(probe, (longitude / 360 + 0.5) * width - 0.5, (0.5 - latitude / 180) * height - 0.5, out)
}

/** The same direction from -180 to 180 degrees. */
export const turned = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180

/** Longitude in degrees of a column of a composed probe. */
export const longitudeOf = (column: number): number => ((column + 0.5) / size.width - 0.5) * 360

/** The upper half at the size of the result; the lower half is dark until it is replaced. */
export function skyOf(probe: LightProbe, { clearSky, sun }: { clearSky?: ClearSky; sun: Sun }): LightProbe {
  const { width, height } = size
  const data = new Float32Array(3 * width * height)
  const out: Rgb = [0, 0, 0]
  const beside: Rgb = [0, 0, 0]
  const readFree = (longitude: number, latitude: number) => {
    const { from, to, below } = clearSky?.mast ?? { from: 0, to: 0, below: 0 }
    if (latitude > below || longitude <= from || longitude >= to) return readDirection(probe, longitude, latitude, out)
    readDirection(probe, from, latitude, out)
    readDirection(probe, to, latitude, beside)
    const share = (longitude - from) / (to - from)
    for (let c = 0; c < 3; c++) out[c] = (out[c] as number) * (1 - share) + share * (beside[c] as number)
  }
  for (let y = 0; y < height / 2; y++) {
    const up = Math.max(0.4, (0.5 - (y + 0.5) / height) * 180)
    for (let x = 0; x < width; x++) {
      const longitude = longitudeOf(x)
      if (clearSky) {
        const turn = turned(longitude - sun.longitude)
        const { free, above } = clearSky
        const [least, most] = free
        // Both sides of the sun show the free one; the sky below is that above, stretched.
        const from = sun.longitude + least + (Math.abs(turn) / 180) * (most - least)
        const stretch = 3 * above
        const latitude = up < stretch ? above + (up * (stretch - above)) / stretch : up
        readFree(from, latitude)
      } else {
        readDirection(probe, longitude, up, out)
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
      const turn = turned(longitudeOf(x) - longitude)
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

/** Light of the sky in a direction, whose longitude is counted from `middle`, up to `cap`. */
export function sampleSky(
  probe: LightProbe,
  middle: number,
  [x, y, z]: readonly [number, number, number],
  cap: number,
  out: Rgb,
): void {
  const latitude = Math.asin(clamp(y, -1, 1)) / degree
  readDirection(probe, Math.atan2(x, z) / degree + middle, Math.max(0.5, latitude), out)
  // All channels alike, so that the colour stays.
  const scale = Math.min(1, cap / Math.max(1e-6, ...out))
  for (let c = 0; c < 3; c++) out[c] = scale * (out[c] as number)
}
