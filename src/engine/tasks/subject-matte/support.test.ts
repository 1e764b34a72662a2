import { expect, test } from 'vitest'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { supportFor } from './support.ts'

const size = { width: 80, height: 60 }

const boxAt = (left: number, right: number): Plane => {
  const plane = createPlane(size.width, size.height)
  for (let y = 20; y < 40; y++) plane.data.fill(1, y * size.width + left, y * size.width + right)
  return plane
}

/** Grey that changes by so much from pixel to pixel. */
function picture(change: number): Picture {
  const data = new Uint8ClampedArray(4 * size.width * size.height).fill(255)
  for (let i = 0; i < data.length; i++) if (i % 4 < 3) data[i] = 100 + ((i >> 2) % 2) * change
  return { ...size, data }
}

test('a cut that a single other one agrees with is a guess, unless nothing else is to be seen', () => {
  const [cut, same, elsewhere] = [boxAt(10, 40), boxAt(10, 40), boxAt(60, 70)]
  expect(supportFor(cut, [cut, same, elsewhere], picture(40))).toBe(0.5)
  expect(supportFor(cut, [cut, same, elsewhere], picture(4))).toBe(1)
  expect(supportFor(cut, [cut, same, boxAt(10, 25)], picture(40))).toBe(0.75)
  expect(supportFor(cut, [cut, same], picture(40))).toBe(0.5)
  expect(supportFor(cut, [], picture(40))).toBe(1)
})

test('what is larger than the cuts is compared at their size', () => {
  const large = createPlane(2 * size.width, 2 * size.height)
  for (let y = 40; y < 80; y++) large.data.fill(1, y * large.width + 20, y * large.width + 80)
  expect(supportFor(large, [boxAt(10, 40), boxAt(10, 40)], picture(40))).toBeCloseTo(1, 6)
})
