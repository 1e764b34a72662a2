import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { stretchDown } from './frame.ts'

/** Each row has its own grey; the left half is transparent. */
function rows(height: number): Picture {
  const data = new Uint8ClampedArray(4 * 2 * height)
  for (let y = 0; y < height; y++) data.set([200, 0, 0, 0, 10 * y, 10 * y, 10 * y, 255], 8 * y)
  return { width: 2, height, data }
}

test('rows are stretched to the lower edge, evenly and in order, and those above stay', () => {
  const { data } = stretchDown(rows(20), 8, 14)
  const greys = Array.from({ length: 20 }, (_, y) => data[8 * y + 4] as number)
  expect(greys.slice(0, 8)).toEqual([0, 10, 20, 30, 40, 50, 60, 70])
  // The last row, 130, and the cubic's overshoot.
  expect(greys.at(-1)).toBe(131)
  for (let y = 9; y < 19; y++) {
    expect(greys[y]! - greys[y - 1]!).toBeGreaterThanOrEqual(3)
    expect(greys[y]! - greys[y - 1]!).toBeLessThanOrEqual(7)
  }
})

test('transparent pixels stay transparent', () => {
  const { data } = stretchDown(rows(20), 8, 14)
  for (let y = 0; y < 20; y++) expect([data[8 * y + 3], data[8 * y + 7]]).toEqual([0, 255])
})

test('nothing changes without rows to stretch', () => {
  expect(stretchDown(rows(20), 15, 14)).toEqual(rows(20))
})
