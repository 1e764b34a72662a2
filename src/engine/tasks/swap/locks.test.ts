import { expect, test } from 'vitest'
import { borderDistance } from '#engine/image/morphology.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { locksOver } from './blend-mask.ts'

const side = 200
type Place = { x: number; y: number; width: number; height: number }
const temple: Place = { x: 10, y: 50, width: 14, height: 70 }
/** A brow from the temple to the middle of the face. */
const brow: Place = { x: 10, y: 80, width: 70, height: 12 }
const jaw: Place = { x: 10, y: 150, width: 180, height: 40 }

function painted(plane: Plane, { x, y, width, height }: Place, value: number): Plane {
  for (let v = y; v < y + height; v++) plane.data.fill(value, v * side + x, v * side + x + width)
  return plane
}

/** How much of a place counts as hair when the `doubtful` ones are hardly skin. */
function locksAt(place: Place, doubtful: readonly Place[]): number {
  const plane = (value = 0) => createPlane(side, side, value)
  const hull = painted(plane(), { x: 10, y: 10, width: 180, height: 180 }, 1)
  const skin = painted({ ...hull, data: hull.data.slice() }, brow, 0)
  for (const part of doubtful) painted(skin, part, 0.2)
  const features = painted(plane(), brow, 1)
  const surface = { hull, skin, features, depth: borderDistance(hull), foreign: plane(), shade: plane() }
  const { data } = locksOver({ ...surface, jaw: painted(plane(), jaw, 1) }, 180)
  let sum = 0
  for (let v = place.y; v < place.y + place.height; v++)
    for (let u = place.x; u < place.x + place.width; u++) sum += data[v * side + u] as number
  return sum / (place.width * place.height)
}

test('what is hardly skin at a temple is hair, and what it hides of a brow', () => {
  expect(locksAt(temple, [temple])).toBeGreaterThan(0.9)
  expect(locksAt({ ...brow, width: 12 }, [temple])).toBeGreaterThan(0.8)
})

test('a brow of which nothing is hidden is not', () => {
  expect(locksAt(brow, [])).toBe(0)
  expect(locksAt({ ...brow, x: 50, width: 30 }, [temple])).toBe(0)
})

test.each([
  ['inside the face', { x: 80, y: 110, width: 30, height: 20 }],
  ['at the jaw, where beards grow', { x: 10, y: 155, width: 14, height: 30 }],
])('what is hardly skin %s is none', (_, place) => {
  expect(locksAt(place, [place])).toBeLessThan(0.05)
})
