import { expect, test } from 'vitest'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { joinPeople } from './join-people.ts'

/** Alpha of a value in boxes, each with its left and right end; all as high as the plane. */
function boxes(...places: [left: number, right: number, value?: number][]): Plane {
  const plane = createPlane(100, 40)
  for (const [left, right, value = 1] of places) {
    for (let y = 0; y < 40; y++) plane.data.fill(value, 100 * y + left, 100 * y + right)
  }
  return plane
}

test('a sure network counts, with what people hold and its own edges', () => {
  const network = boxes([9, 10, 0.4], [10, 60])
  expect(joinPeople(network, boxes([12, 40]))).toEqual(network)
})

test('whom it has missed is added', () => {
  const found = joinPeople(boxes([10, 40], [60, 61, 0.2]), boxes([12, 38], [60, 80]))
  expect(found).toEqual(boxes([10, 40], [60, 80]))
})

test('what it only suspects, beside those it is sure of, is left away', () => {
  expect(joinPeople(boxes([10, 40], [50, 90, 0.5]), boxes([12, 40]))).toEqual(boxes([10, 40]))
})

test('where it hesitates, and takes other things for a person, the engine’s own counts', () => {
  const own = boxes([12, 40])
  expect(joinPeople(boxes([10, 40], [40, 90, 0.5]), own)).toBe(own)
})
