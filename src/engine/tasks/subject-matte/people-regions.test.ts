import { expect, test } from 'vitest'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import type { DetectedPerson } from './people.ts'
import { boxWithMissedPeople, dropUndetected, withoutFace } from './people-regions.ts'

const size = { width: 200, height: 100 }
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height })
function masked(...boxes: Box[]): Plane {
  const plane = createPlane(size.width, size.height)
  for (const { x, y, width, height } of boxes) {
    for (let row = y; row < y + height; row++) plane.data.fill(1, row * size.width + x, row * size.width + x + width)
  }
  return plane
}
const [left, middle, small] = [box(10, 20, 30, 80), box(80, 20, 30, 80), box(150, 80, 8, 8)]
const face = (x: number): DetectedPerson => ({ box: box(x, 22, 12, 14), part: 'face' })

test('a region where a person is suspected stays if it is as large as one', () => {
  const labels = masked(left, middle, small)
  dropUndetected(labels, [face(15).box], [{ ...middle, y: 30, height: 70 }, small])
  expect(labels).toEqual(masked(left, middle))
})

test('a region in which no detector suspects a person is dropped', () => {
  const labels = masked(left, middle)
  dropUndetected(labels, [face(15).box], [left])
  expect(labels).toEqual(masked(left))
})

test('without any detected person all regions stay', () => {
  const labels = masked(left, small)
  dropUndetected(labels, [])
  expect(labels).toEqual(masked(left, small))
})

test('a figure is new only if no face is in it, and counts once', () => {
  const figures = [left, middle, { ...middle, x: middle.x + 3 }].map((one) => ({ box: one }))
  expect(withoutFace(figures, [face(15).box])).toEqual([{ box: middle }])
})

test('a detected person who is not in the mask is asked about, with a box around everyone', () => {
  const seen: DetectedPerson[] = [face(15), { box: middle, part: 'figure' }]
  expect(boxWithMissedPeople(masked(left, middle), seen, size)).toBeUndefined()
  expect(boxWithMissedPeople(masked(left), seen, size)).toEqual(box(0.05, 0.2, 0.5, 0.8))
})

test('a distant bystander is not asked about', () => {
  expect(boxWithMissedPeople(masked(left), [face(15), { box: small, part: 'figure' }], size)).toBeUndefined()
})
