import { expect, test } from 'vitest'
import { type Direction, type LightProbe, lightOn, probeIrradiance } from './light-probe.ts'

/** `light` by longitude (−π to π) and latitude. */
function probeOf(light: (longitude: number, latitude: number) => number): LightProbe {
  const [width, height] = [96, 48]
  const data = new Float32Array(3 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = light(((x + 0.5) / width - 0.5) * 2 * Math.PI, (0.5 - (y + 0.5) / height) * Math.PI)
      data.fill(value, 3 * (y * width + x), 3 * (y * width + x) + 3)
    }
  }
  return { width, height, data }
}

/** The integral of the light over the hemisphere above a surface, divided by π. */
function exactLight(light: (longitude: number, latitude: number) => number, normal: Direction): number {
  let sum = 0
  const rows = 120
  for (let y = 0; y < rows; y++) {
    const latitude = (0.5 - (y + 0.5) / rows) * Math.PI
    for (let x = 0; x < 2 * rows; x++) {
      const longitude = ((x + 0.5) / (2 * rows) - 0.5) * 2 * Math.PI
      const flat = Math.cos(latitude)
      const facing =
        Math.sin(longitude) * flat * normal[0] - Math.sin(latitude) * normal[1] + Math.cos(longitude) * flat * normal[2]
      sum += light(longitude, latitude) * Math.max(0, facing) * flat
    }
  }
  return sum * (Math.PI / rows) ** 2 * (1 / Math.PI)
}

const normals: Direction[] = [
  [0, 0, -1],
  [1, 0, 0],
  [-1, 0, 0],
  [0, -1, 0],
  [0, 1, 0],
  [0.6, 0, -0.8],
]

test('even light falls evenly on every surface', () => {
  const irradiance = probeIrradiance(
    probeOf(() => 1),
    0.4,
  )
  for (const normal of normals) expect(lightOn(irradiance, normal)[1]).toBeCloseTo(1, 2)
})

test('nine coefficients reproduce the light of a sky and a wide window within a few percent', () => {
  const light = (longitude: number, latitude: number) =>
    (latitude > 0 ? 1 : 0.2) + (longitude > 0.8 && longitude < 2.2 && Math.abs(latitude) < 0.5 ? 3 : 0)
  const irradiance = probeIrradiance(probeOf(light), 0)
  for (const normal of normals) {
    expect(Math.abs(lightOn(irradiance, normal)[1] - exactLight(light, normal))).toBeLessThan(0.12)
  }
})

test('a light on the right of the camera stays there when camera and light turn together', () => {
  // Whole pixels of the probe.
  const turn = (8 * 2 * Math.PI) / 96
  const lamp = (at: number) => probeOf((longitude) => (Math.abs(longitude - at) < 0.3 ? 10 : 0.1))
  const [ahead, turned] = [probeIrradiance(lamp(1), 0), probeIrradiance(lamp(1 + turn), turn)]
  for (const normal of normals) expect(lightOn(turned, normal)[0]).toBeCloseTo(lightOn(ahead, normal)[0], 1)
  expect(lightOn(ahead, [1, 0, 0])[0]).toBeGreaterThan(3 * lightOn(ahead, [-1, 0, 0])[0])
})
