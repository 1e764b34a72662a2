import { expect, it } from 'vitest'
import { createPlane } from '#engine/image/plane.ts'
import { cutSegments } from './segments.ts'

const [width, height] = [40, 30]
const sleeve = 12

/** A light arm below a dark sleeve, both unevenly lit; nobody in the last column. */
function arm() {
  const [lightness, person] = [createPlane(width, height), createPlane(width, height, 1)]
  for (let i = 0; i < lightness.data.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    lightness.data[i] = (y < sleeve ? 0.3 : 0.5) + 0.003 * x
    if (x === width - 1) person.data[i] = 0
  }
  return { lightness, person }
}

it('cuts at edges and not along soft shades', () => {
  const { lightness, person } = arm()
  const { of, count } = cutSegments(lightness, person, 1.5, 20)
  expect(count).toBe(2)
  expect(of[0]).toBe(of[sleeve * width - 2])
  expect(of[sleeve * width]).toBe(of[height * width - 2])
  expect(of[0]).not.toBe(of[sleeve * width])
})

it('leaves out what nobody covers', () => {
  const { lightness, person } = arm()
  expect(cutSegments(lightness, person, 1.5, 20).of[width - 1]).toBe(-1)
})

it('lets specks join what is around them', () => {
  const { lightness, person } = arm()
  lightness.data[20 * width + 20] = 0.9
  expect(cutSegments(lightness, person, 1.5, 20).count).toBe(2)
})
