import { expect, test } from 'vitest'
import { growRegion, outlineOf, type Pixels } from './region.ts'

function picture(width: number, height: number, colour: (x: number, y: number) => readonly [number, number, number]) {
  const data = new Uint8ClampedArray(4 * width * height)
  for (let i = 0; i < width * height; i++) data.set([...colour(i % width, Math.floor(i / width)), 255], 4 * i)
  return { width, height, data } satisfies Pixels
}

const red = [200, 30, 30] as const
const blue = [30, 40, 190] as const

test('a tap selects the region of one colour and stops at its edge', () => {
  const square = picture(40, 30, (x, y) => (x >= 10 && x < 25 && y >= 5 && y < 20 ? red : blue))
  const region = growRegion(square, 12, 8)
  expect(region.reduce((sum, value) => sum + value, 0)).toBe(15 * 15)
  expect([region[8 * 40 + 12], region[8 * 40 + 9], region[20 * 40 + 12]]).toEqual([1, 0, 0])
})

test('a second region of the same colour is not selected when something lies between', () => {
  const two = picture(30, 10, (x) => (x < 8 || x >= 20 ? red : blue))
  expect(growRegion(two, 2, 5).reduce((sum, value) => sum + value, 0)).toBe(8 * 10)
})

test('a soft gradient is followed, but not to colours that are far from the tapped one', () => {
  const gradient = picture(200, 4, (x) => [x, x, x])
  const region = growRegion(gradient, 100, 2)
  expect(region[2 * 200 + 120]).toBe(1)
  expect(region[2 * 200 + 190]).toBe(0)
})

test('a tap beyond the picture selects at its rim', () => {
  const plain = picture(8, 8, () => red)
  expect(growRegion(plain, 50, -3).every((value) => value === 1)).toBe(true)
})

test('the outline of a region runs around it once', () => {
  const mask = new Uint8Array(100)
  for (let y = 2; y < 6; y++) for (let x = 3; x < 8; x++) mask[y * 10 + x] = 1
  const outline = outlineOf(mask, 10, 10)
  const xs = outline.filter((_, i) => i % 2 === 0)
  const ys = outline.filter((_, i) => i % 2 === 1)
  expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([0.35, 0.75, 0.25, 0.55])
  expect(outline.length / 2).toBe(14)
})

test('a single pixel has an outline of one point, nothing has none', () => {
  const mask = new Uint8Array(9)
  expect(outlineOf(mask, 3, 3)).toEqual([])
  mask[4] = 1
  expect(outlineOf(mask, 3, 3)).toEqual([0.5, 0.5])
})
