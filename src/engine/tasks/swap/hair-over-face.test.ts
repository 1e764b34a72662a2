import { expect, test } from 'vitest'
import { borderDistance } from '#engine/image/morphology.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { hairOverFace, hairStrands } from './blend-mask.ts'

const side = 200
type Region = { x: number; y: number; width: number; height: number }
const temple: Region = { x: 10, y: 50, width: 14, height: 70 }
const brow: Region = { x: 10, y: 80, width: 70, height: 12 }
const jaw: Region = { x: 10, y: 150, width: 180, height: 40 }

function painted(plane: Plane, { x, y, width, height }: Region, value: number): Plane {
  for (let v = y; v < y + height; v++) plane.data.fill(value, v * side + x, v * side + x + width)
  return plane
}

function locksAt(place: Region, doubtful: readonly Region[]): number {
  const plane = (value = 0) => createPlane(side, side, value)
  const hull = painted(plane(), { x: 10, y: 10, width: 180, height: 180 }, 1)
  const skin = painted({ ...hull, data: hull.data.slice() }, brow, 0)
  for (const part of doubtful) painted(skin, part, 0.2)
  const features = painted(plane(), brow, 1)
  const surface = { hull, skin, features, depth: borderDistance(hull), foreign: plane(), shade: plane() }
  const { data } = hairOverFace({ ...surface, jaw: painted(plane(), jaw, 1), strands: plane() }, 180)
  let sum = 0
  for (let v = place.y; v < place.y + place.height; v++)
    for (let u = place.x; u < place.x + place.width; u++) sum += data[v * side + u] as number
  return sum / (place.width * place.height)
}

test('an area with hardly any skin at a temple is hair, with the part of a brow it hides', () => {
  expect(locksAt(temple, [temple])).toBeGreaterThan(0.9)
  expect(locksAt({ ...brow, width: 12 }, [temple])).toBeGreaterThan(0.8)
})

test('an unhidden brow is not hair', () => {
  expect(locksAt(brow, [])).toBe(0)
  expect(locksAt({ ...brow, x: 50, width: 30 }, [temple])).toBe(0)
})

test.each([
  ['inside the face', { x: 80, y: 110, width: 30, height: 20 }],
  ['at the jaw, where beards grow', { x: 10, y: 155, width: 14, height: 30 }],
])('an area with hardly any skin %s is not hair', (_, place) => {
  expect(locksAt(place, [place])).toBeLessThan(0.05)
})

function strandsAt(place: Region, value: number): number {
  const plane = () => createPlane(side, side)
  const hull = painted(plane(), { x: 10, y: 10, width: 180, height: 180 }, 1)
  const picture = { width: side, height: side, data: new Uint8ClampedArray(4 * side * side).fill(150) }
  for (let y = place.y; y < place.y + place.height; y++)
    picture.data.fill(value, 4 * (y * side + place.x), 4 * (y * side + place.x + place.width))
  const surface = { hull, features: plane(), jaw: painted(plane(), jaw, 1), depth: borderDistance(hull) }
  const { data } = hairStrands(picture, surface, 180)
  const [x, y] = [place.x + (place.width >> 1), place.y + (place.height >> 1)]
  return data[y * side + x] as number
}

test.each([
  ['fair', 240],
  ['dark', 60],
])('a %s line at the temple is a strand of hair', (_, value) => {
  expect(strandsAt({ x: 30, y: 50, width: 4, height: 60 }, value)).toBeGreaterThan(0.9)
})

test.each([
  ['a faint line', { x: 30, y: 50, width: 4, height: 60 }, 135],
  ['a wide shadow', { x: 20, y: 50, width: 30, height: 60 }, 60],
  ['a line in the middle of the face', { x: 100, y: 50, width: 4, height: 60 }, 60],
  ['a line at the jaw', { x: 30, y: 155, width: 4, height: 30 }, 60],
])('%s is not a strand', (_, place, value) => {
  expect(strandsAt(place, value)).toBeLessThan(0.1)
})
