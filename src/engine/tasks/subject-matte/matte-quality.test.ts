import { expect, test } from 'vitest'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { confirmsGuess, fillSmallHoles, matteFault } from './matte-quality.ts'

/** Disks on 100×100, later ones over earlier ones. */
function disks(...given: [x: number, y: number, radius: number, value?: number][]): Plane {
  const plane = createPlane(100, 100)
  for (const [x, y, radius, value = 1] of given) {
    for (let i = 0; i < plane.data.length; i++) {
      if (Math.hypot((i % 100) - x, Math.floor(i / 100) - y) < radius) plane.data[i] = value
    }
  }
  return plane
}
const subject = disks([50, 50, 30])

test('a matte like the evidence, or finer than it, is used', () => {
  expect(matteFault(subject, subject)).toBeUndefined()
  expect(matteFault(disks([50, 50, 33]), subject)).toBeUndefined()
  expect(matteFault(subject, undefined)).toBeUndefined()
})

test.each([
  ['almost nothing', disks([50, 50, 1]), undefined, 'empty'],
  ['half transparent', disks([50, 50, 30, 0.6]), undefined, 'vague'],
  ['full of holes', disks([50, 50, 30], [40, 50, 8, 0], [60, 50, 8, 0]), subject, 'holes'],
  ['of something else', disks([15, 15, 14], [50, 50, 14]), subject, 'other_subject'],
  ['only a small part', disks([50, 50, 10]), subject, 'other_subject'],
  ['the whole picture', disks([50, 50, 99]), disks([50, 50, 20]), 'other_subject'],
] as const)('a matte that is %s is refused', (_, matte, evidence, fault) => {
  expect(matteFault(matte, evidence)).toBe(fault)
})

test('a guess is confirmed by a clear matte of about the same area', () => {
  expect(confirmsGuess(disks([51, 50, 32]), subject)).toBe(true)
  for (const other of [disks([80, 50, 30]), disks([50, 50, 15]), disks([50, 50, 30, 0.6]), disks()]) {
    expect(confirmsGuess(other, subject)).toBe(false)
  }
})

test('small holes inside a person are filled, the gap of an arm and the outside stay', () => {
  const stripes = disks([50, 50, 30], [45, 45, 2, 0], [60, 60, 9, 0])
  fillSmallHoles(stripes, subject)
  const at = (x: number, y: number) => stripes.data[100 * y + x]
  expect([at(45, 45), at(60, 60), at(5, 5), at(50, 79)]).toEqual([1, 0, 0, 1])
})
