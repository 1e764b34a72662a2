import type { LightProbe } from '#engine/image/light-probe.ts'
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

export /** A sky without clouds whose horizon is hidden by buildings or trees in some directions. */
interface ClearSky {
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
  const out = [0, 0, 0]
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

/** Linear interpolation at a column and a row; columns go around. */
export function readProbe({ width, height, data }: LightProbe, u: number, v: number, out: number[]): void {
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
export function skyOf(probe: LightProbe, { clearSky, sun }: { clearSky?: ClearSky; sun: Sun }): LightProbe {
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

/** Light of the sky in a direction, whose longitude is counted from `middle`, up to `cap`. */
export function sampleSky(
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
