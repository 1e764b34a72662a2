import { expect, test } from 'vitest'
import { composePaddies } from './paddies.ts'
import { composeSeashore, seashores } from './seashore.ts'
import { composeTerrace } from './terrace.ts'

test('below a photographed sky lies water with the glints of its sun, and sand', () => {
  const size = { width: 64, height: 32 }
  const sky = { ...size, data: Float32Array.from({ length: 3 * 64 * 32 }, (_, i) => [0.5, 0.7, 1][i % 3]!) }
  const { sun } = seashores.sunset
  const { width, height, data } = composeSeashore(sky, seashores.sunset)
  const meanAt = (longitude: number, latitude: number) => {
    const [x, y] = [Math.floor((longitude / 360 + 0.5) * width), Math.floor((0.5 - latitude / 180) * height)]
    const sums = [0, 0, 0]
    for (let v = y - 2; v <= y + 2; v++)
      for (let u = x - 2; u <= x + 2; u++) for (let c = 0; c < 3; c++) sums[c]! += data[3 * (v * width + u) + c]! / 25
    return sums as [number, number, number]
  }
  expect(data.every((value) => value > 0 && value < 1000)).toBe(true)
  const [glints, water, sand] = [meanAt(sun.longitude, -4), meanAt(sun.longitude + 40, -4), meanAt(sun.longitude, -35)]
  expect(glints[0]).toBeGreaterThan(4 * water[0])
  expect(water[2]).toBeGreaterThan(1.2 * water[0])
  expect(sand[2]).toBeLessThan(water[2])
  const [red, , blue] = meanAt(sun.longitude + 140, 50)
  expect(Math.abs(red - 0.5) + Math.abs(blue - 1)).toBeLessThan(0.1)
})

test('strings of lights hang over a photographed square, and light its ground', () => {
  const size = { width: 64, height: 32 }
  const { width, data } = composeTerrace({ ...size, data: new Float32Array(3 * 64 * 32).fill(0.2) })
  const rowsOf = (from: number, to: number) => data.subarray(3 * width * from, 3 * width * to)
  expect(Math.max(...rowsOf(150, 188))).toBeGreaterThan(10)
  const ground = rowsOf(230, 238)
  const most = [0, 2].map((channel) => Math.max(...ground.filter((_, i) => i % 3 === channel)))
  expect(most[0]! - most[1]!).toBeGreaterThan(0.05)
  expect(new Set(rowsOf(0, 80))).toEqual(new Set([Math.fround(0.2)]))
})

test('paddies reflect the sky and have green plants below a photographed horizon', () => {
  const size = { width: 64, height: 32 }
  const data = Float32Array.from({ length: 3 * 64 * 32 }, (_, i) =>
    i < 3 * 64 * 16 ? 0.8 : [0.06, 0.11, 0.03][i % 3]!,
  )
  const { width, data: made } = composePaddies({ ...size, data })
  const ground = made.subarray(3 * width * 200, 3 * width * 220)
  const green = ground.filter((_, i) => i % 3 === 1)
  const [red, blue] = [0, 2].map((channel) => ground.filter((_, i) => i % 3 === channel))
  const count = (test: (i: number) => boolean) => Array.from(green.keys()).filter(test).length / green.length
  expect(count((i) => green[i]! > 1.5 * red![i]! && green[i]! > 3 * blue![i]!)).toBeGreaterThan(0.2)
  expect(count((i) => blue![i]! > 0.7 * green[i]!)).toBeGreaterThan(0.1)
  expect(Math.abs(made[3 * width * 100]! - 0.8)).toBeLessThan(0.01)
})
