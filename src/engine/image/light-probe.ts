import type { Picture, Size } from './picture.ts'

/**
 * All light that arrives at a point (Debevec 1998) as an equirectangular picture: linear RGB
 * interleaved, data.length = 3 · width · height. The upper row is the zenith, and the middle column
 * longitude 0.
 */
export interface LightProbe extends Size {
  data: Float32Array
}

/** A place around a subject. */
export interface Surroundings {
  probe: LightProbe
  /** The only view of a place that is known by a photograph; `probe` is estimated from it. */
  photo?: Picture
  /** Brightness in stops, 0 by default. */
  exposure?: number
}

interface ProbeCamera {
  /** Radians; positive yaw turns right, positive pitch looks down. */
  yaw: number
  pitch: number
  /** Vertical field of view in radians. */
  fov: number
}

export type Rgb = [red: number, green: number, blue: number]

/** Pixels of the probe per radian. */
export const probeScale = ({ height }: Size): number => height / Math.PI

/**
 * Repairs values that half floats cannot hold: lossy files lose the red and green of a sun, and
 * leave black pixels around it.
 */
export function repairProbe(probe: LightProbe): LightProbe {
  const { width, height, data } = probe
  const lost: number[] = []
  const bright = 20 * (data.reduce((sum, value) => sum + (value > 0 ? Math.min(value, 10) : 0), 0) / data.length)
  for (let i = 0; i < data.length; i += 3) {
    const values = [data[i], data[i + 1], data[i + 2]].map((value) =>
      Number.isFinite(value) ? Math.max(0, value as number) : 0,
    ) as Rgb
    const most = Math.max(...values)
    if (most === 0) lost.push(i)
    else if (most > bright && values[2] > 1.5 * values[0]) values.fill(most)
    else if (values[0] === 0 && values[1] === 0) lost.push(i)
    data.set(values, i)
  }
  const missing = new Set(lost)
  // Each round fills pixels beside known ones with the brightest of them: suns get no holes.
  while (missing.size > 0) {
    const filled: [number, Rgb][] = []
    for (const i of missing) {
      const [x, y] = [(i / 3) % width, Math.floor(i / 3 / width)]
      let found = -1
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
        for (const u of [x - 1, x, x + 1]) {
          const near = 3 * (v * width + ((u + width) % width))
          if (!missing.has(near) && (found < 0 || (data[near + 1] as number) > (data[found + 1] as number)))
            found = near
        }
      }
      if (found >= 0) filled.push([i, [data[found], data[found + 1], data[found + 2]] as Rgb])
    }
    if (filled.length === 0) break
    for (const [i, values] of filled) {
      data.set(values, i)
      missing.delete(i)
    }
  }
  return probe
}

/**
 * Light at a column and a row, linear between pixels, whose values are cut at `most`; columns go
 * around, and the last rows are repeated.
 */
export function readProbe(
  { width, height, data }: LightProbe,
  column: number,
  row: number,
  out: Rgb,
  most = Number.POSITIVE_INFINITY,
): void {
  const v = Math.min(height - 1, Math.max(0, row))
  const [u0, v0] = [Math.floor(column), Math.floor(v)]
  const [fu, fv] = [column - u0, v - v0]
  const [left, right] = [(((u0 % width) + width) % width) * 3, ((((u0 + 1) % width) + width) % width) * 3]
  const [above, below] = [v0 * width * 3, Math.min(height - 1, v0 + 1) * width * 3]
  const [a, b, c, d] = [(1 - fu) * (1 - fv), fu * (1 - fv), (1 - fu) * fv, fu * fv]
  for (let k = 0; k < 3; k++) {
    out[k] =
      a * Math.min(most, data[above + left + k] as number) +
      b * Math.min(most, data[above + right + k] as number) +
      c * Math.min(most, data[below + left + k] as number) +
      d * Math.min(most, data[below + right + k] as number)
  }
}

/** Perspective view in linear light; brighter values are cut at `most`. */
export function viewProbe(
  probe: LightProbe,
  { yaw, pitch, fov }: ProbeCamera,
  view: Size,
  most: number,
): { red: Float32Array; green: Float32Array; blue: Float32Array } {
  const count = view.width * view.height
  const [red, green, blue] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)]
  const focal = view.height / 2 / Math.tan(fov / 2)
  const [cos, sin] = [Math.cos(pitch), Math.sin(pitch)]
  const { width, height } = probe
  const light: Rgb = [0, 0, 0]
  for (let y = 0, i = 0; y < view.height; y++) {
    const down = (y + 0.5 - view.height / 2) / focal
    const [up, ahead] = [-down * cos - sin, cos - down * sin]
    for (let x = 0; x < view.width; x++, i++) {
      const aside = (x + 0.5 - view.width / 2) / focal
      const longitude = Math.atan2(aside, ahead) + yaw
      const latitude = Math.atan2(up, Math.hypot(aside, ahead))
      const u = (longitude / (2 * Math.PI) + 0.5) * width - 0.5
      readProbe(probe, u, (0.5 - latitude / Math.PI) * height - 0.5, light, most)
      red[i] = light[0]
      green[i] = light[1]
      blue[i] = light[2]
    }
  }
  return { red, green, blue }
}

/**
 * Irradiance for every direction of a surface as second-order spherical harmonics, nine
 * coefficients for each of red, green and blue.
 */
export type Irradiance = readonly [red: Float64Array, green: Float64Array, blue: Float64Array]

/** In the camera's frame: x to the right, y down, z away from the camera. */
export type Direction = readonly [x: number, y: number, z: number]

const count = 9
/** Weights of the three bands for a cosine lobe, divided by π: an even light of 1 gives 1. */
const cosine = [1, 2 / 3, 2 / 3, 2 / 3, 1 / 4, 1 / 4, 1 / 4, 1 / 4, 1 / 4] as const

function basis([x, y, z]: Direction, out: Float64Array): void {
  out[0] = 0.282095
  out[1] = 0.488603 * y
  out[2] = 0.488603 * z
  out[3] = 0.488603 * x
  out[4] = 1.092548 * x * y
  out[5] = 1.092548 * y * z
  out[6] = 0.315392 * (3 * z * z - 1)
  out[7] = 1.092548 * x * z
  out[8] = 0.546274 * (x * x - y * y)
}

/**
 * The light of a probe on surfaces seen by a level camera that looks at longitude `yaw`
 * (Ramamoorthi & Hanrahan 2001).
 */
export function probeIrradiance({ width, height, data }: LightProbe, yaw: number): Irradiance {
  const sums = [0, 1, 2].map(() => new Float64Array(count)) as unknown as Irradiance
  const values = new Float64Array(count)
  const pixel = (2 * Math.PI * Math.PI) / (width * height)
  for (let y = 0; y < height; y++) {
    const latitude = (0.5 - (y + 0.5) / height) * Math.PI
    const [flat, up] = [Math.cos(latitude), Math.sin(latitude)]
    for (let x = 0; x < width; x++) {
      const longitude = ((x + 0.5) / width - 0.5) * 2 * Math.PI - yaw
      basis([Math.sin(longitude) * flat, -up, Math.cos(longitude) * flat], values)
      const at = 3 * (y * width + x)
      for (let c = 0; c < 3; c++) {
        const light = (data[at + c] as number) * flat * pixel
        const sum = sums[c] as Float64Array
        for (let k = 0; k < count; k++) sum[k] = (sum[k] as number) + light * (values[k] as number)
      }
    }
  }
  for (const sum of sums) for (let k = 0; k < count; k++) sum[k] = (sum[k] as number) * (cosine[k] as number)
  return sums
}

const scratch = new Float64Array(count)

/** Light on a surface with this normal, which points away from the surface. */
export function lightOn(irradiance: Irradiance, normal: Direction): [red: number, green: number, blue: number] {
  basis(normal, scratch)
  return irradiance.map((sum) => {
    let light = 0
    for (let k = 0; k < count; k++) light += (sum[k] as number) * (scratch[k] as number)
    return Math.max(0, light)
  }) as [number, number, number]
}
