import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import { box, masked, size } from '#tests/support/box-mask.ts'
import type { DetectedPerson } from './people.ts'
import {
  addInside,
  bodyOf,
  cutShort,
  distinctBodies,
  dropUndetected,
  faceOf,
  isMissed,
  keepBodies,
  missedPeople,
  withoutFace,
} from './people-regions.ts'

const [left, middle, small] = [box(10, 20, 30, 80), box(80, 20, 30, 80), box(150, 80, 8, 8)]
const face = (x: number): DetectedPerson => ({ box: box(x, 22, 12, 14), part: 'face' })

test('a region where a person is suspected stays if it is as large as one', () => {
  const labels = masked(left, middle, small)
  const lacksPerson = dropUndetected(labels, [face(15).box], [{ ...middle, y: 30, height: 70 }, small])
  expect(labels).toEqual(masked(left, middle))
  expect(lacksPerson).toBe(false)
})

test('a region in which no detector suspects a person is dropped', () => {
  const labels = masked(left, middle)
  expect(dropUndetected(labels, [face(15).box], [left])).toBe(true)
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

const person = (body: Box, part: DetectedPerson['part'] = 'figure') => ({ box: body, part, body })

test('a detected person who is not in the mask is missed, a distant bystander is not', () => {
  const people = [person(left), person(middle), person(small)]
  expect(missedPeople(masked(left, middle), people, size)).toEqual([])
  expect(missedPeople(masked(left), people, size)).toEqual([people[1]])
})

test('a figure without its legs is cut short, a whole or distant one and one that is missed are not', () => {
  const upper = { ...left, height: 45 }
  expect(cutShort(masked(upper, middle), { figures: [left, middle, small] }, size)).toEqual([left])
  expect(cutShort(masked(middle), { figures: [left, middle] }, size)).toEqual([])
})

test('a figure is cut short at the shins, but not with one leg lifted or legs that a neighbour hides', () => {
  const shorts = { ...left, height: 50 }
  const leg = box(20, 20, 5, 80)
  expect(cutShort(masked(shorts, { ...leg, height: 60 }), { figures: [left] }, size)).toEqual([left])
  expect(cutShort(masked(shorts, leg), { figures: [left] }, size)).toEqual([])
  const inFront = box(20, 10, 50, 90)
  expect(cutShort(masked(shorts, inFront), { figures: [left, inFront] }, size)).toEqual([])
})

test('a figure without its middle is cut short', () => {
  const [chest, legs] = [
    { ...left, height: 24 },
    { ...left, y: 62, height: 38 },
  ]
  expect(cutShort(masked(chest, legs), { figures: [left] }, size)).toEqual([left])
})

test('a figure without its head is cut short', () => {
  expect(cutShort(masked({ ...left, y: 32, height: 68 }), { figures: [left] }, size)).toEqual([left])
})

test('above a found face one thin hand is enough for a whole figure, even below a loose box’s top', () => {
  const upToFace = { ...left, y: 40, height: 60 }
  const hand = box(12, 26, 1, 14)
  const found = { figures: [left], faces: [box(18, 40, 12, 14)] }
  expect(cutShort(masked(upToFace, hand), found, size)).toEqual([])
  expect(cutShort(masked(upToFace), found, size)).toEqual([left])
  expect(cutShort(masked(upToFace, hand), { figures: [left] }, size)).toEqual([left])
})

test('the legs of a neighbour in its box do not make up for those of a figure', () => {
  const neighbour = box(30, 10, 40, 90)
  const upper = { ...left, height: 45 }
  expect(cutShort(masked(upper, neighbour), { figures: [left, neighbour] }, size)).toEqual([left])
})

test('figures are compared by height, since stretched arms widen a box', () => {
  const stretched = box(60, 0, 140, 100)
  const standing = box(10, 40, 20, 55)
  expect(cutShort(masked(stretched, { ...standing, height: 30 }), { figures: [stretched, standing] }, size)).toEqual([
    standing,
  ])
  const child = { ...standing, height: 45 }
  expect(cutShort(masked(stretched, { ...child, height: 20 }), { figures: [stretched, child] }, size)).toEqual([])
})

test('a person is compared with others by the body, not by a face alone', () => {
  const seen = { ...face(90), body: bodyOf(face(90).box, [], size) }
  expect(seen.body.height).toBeGreaterThan(5 * seen.box.height)
  expect(missedPeople(masked(left), [person(left), seen], size)).toEqual([seen])
})

test('the body of a face is the figure below it, not one beside it', () => {
  expect(bodyOf(face(15).box, [middle, left], size)).toEqual(left)
})

test('the face of a body is its own, not that of a larger neighbour in front', () => {
  const own = face(15).box
  const neighbour = box(left.x + 8, own.y + 12, own.width + 4, own.height + 4)
  expect(faceOf(left, [neighbour, own])).toEqual(own)
})

test('everyone is listed once, without distant bystanders', () => {
  expect(distinctBodies([small, left, { ...left, x: left.x + 4 }, middle])).toHaveLength(2)
})

test('a face counts as missed if only a corner of it is in the mask', () => {
  const { box: own } = face(15)
  expect(isMissed(masked(box(own.x, own.y, own.width, 2)), face(15), size)).toBe(true)
  expect(isMissed(masked(left), face(15), size)).toBe(false)
  const body = { ...left, y: 34, height: 66 }
  expect(isMissed(masked(body), face(15), size)).toBe(true)
})

test('a child is as near as adults by its face, though its body is small', () => {
  const child = { ...person(small), box: box(151, 80, 6, 8), part: 'face' as const, body: small }
  const adult = { ...face(15), body: left }
  expect(missedPeople(masked(left), [adult, { ...child, box: box(151, 80, 8, 9) }], size)).toHaveLength(1)
  expect(missedPeople(masked(left), [adult, child], size)).toEqual([])
})

test('a person cut out of a part is added, and a person who was not picked is cleared', () => {
  const mask = masked(left)
  addInside(mask, createPlane(3, 8, 1), middle, size)
  expect(mask).toEqual(masked(left, middle))
  keepBodies(mask, [left], [], size)
  expect(mask).toEqual(masked(left))
  const touching = masked(box(10, 20, 60, 80))
  keepBodies(touching, [left], [box(35, 20, 35, 80)], size)
  expect(touching).toEqual(masked(left))
})
