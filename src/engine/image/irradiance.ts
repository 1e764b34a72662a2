import type { LightProbe } from './light-probe.ts'

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
