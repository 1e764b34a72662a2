import { expect, test } from 'vitest'
import { type LightProbe, repairProbe, viewProbe } from './light-probe.ts'

/** White above the horizon, black below, with a red column at longitude 90°. */
function horizonProbe(): LightProbe {
  const [width, height] = [64, 32]
  const data = new Float32Array(3 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (y < height / 2) data.fill(1, 3 * (y * width + x), 3 * (y * width + x) + 3)
      if (x === 48) data.set([5, 0, 0], 3 * (y * width + x))
    }
  }
  return { width, height, data }
}

/** First row whose middle is dark, as a share of the height. */
function darkFrom({ green }: ReturnType<typeof viewProbe>, size: number): number {
  for (let y = 0; y < size; y++) if ((green[y * size + size / 2] as number) < 0.5) return y / size
  return 1
}

test('a level camera has the horizon in the middle, and one that looks down has it above', () => {
  const view = (pitch: number) => viewProbe(horizonProbe(), { yaw: 0, pitch, fov: 1 }, { width: 80, height: 80 }, 10)
  expect(darkFrom(view(0), 80)).toBeCloseTo(0.5, 1)
  // The horizon moves by the tangent of the pitch over twice that of half the field of view.
  expect(darkFrom(view(0.2), 80)).toBeCloseTo(0.5 - Math.tan(0.2) / (2 * Math.tan(0.5)), 1)
  expect(darkFrom(view(-0.2), 80)).toBeGreaterThan(0.6)
})

test('yaw turns to the right, and light above the limit is cut', () => {
  const size = { width: 41, height: 41 }
  const { red } = viewProbe(horizonProbe(), { yaw: Math.PI / 2, pitch: 0, fov: 0.8 }, size, 3)
  const row = [...red.subarray(20 * 41, 21 * 41)]
  expect(Math.max(...row)).toBeLessThanOrEqual(3)
  expect(Math.abs(row.indexOf(Math.max(...row)) - 20)).toBeLessThan(5)
})

test('a sun whose colours were lost becomes white, without holes', () => {
  const probe = horizonProbe()
  const at = (x: number, y: number) => 3 * (y * probe.width + x)
  probe.data.set([0, 0, 9000], at(20, 8))
  for (const [x, y] of [
    [19, 8],
    [21, 8],
    [20, 7],
    [20, 9],
    [19, 7],
  ] as const)
    probe.data.set([0, 0, 0], at(x, y))
  probe.data.set([Number.NaN, 1, 1], at(5, 5))
  const { data } = repairProbe(probe)
  expect([...data.subarray(at(20, 8), at(20, 8) + 3)]).toEqual([9000, 9000, 9000])
  expect(data[at(19, 7)]).toBeGreaterThan(100)
  expect(data.every(Number.isFinite)).toBe(true)
})
