import { expect, test } from 'vitest'
import type { Plane } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import { box, masked, size } from '#tests/support/box-mask.ts'
import { addOwnedObjects, leavesOutPart } from './people-and-things.ts'

/** A body, and the shin and foot of a stretched leg. */
const [body, shin, foot] = [box(10, 0, 40, 100), box(50, 80, 30, 10), box(80, 80, 20, 10)]
/** A thing with the body, and with the shin as faint as salience of this value leaves it. */
function stretched(value: number, end: Box): Plane {
  const thing = masked(body, end)
  for (let y = shin.y; y < shin.y + shin.height; y++) {
    thing.data.fill(0.2 * value, y * size.width + shin.x, y * size.width + end.x)
  }
  return thing
}

test('a foot apart from the body belongs to it, with the leg, if faint salience links both', () => {
  expect(addOwnedObjects(masked(body), stretched(0.4, foot))).toEqual(masked(body, shin, foot))
  const apart = stretched(0.1, foot)
  expect(addOwnedObjects(masked(body), apart)).toEqual(masked(body))
  expect(leavesOutPart(masked(body), apart)).toBe(true)
  expect(leavesOutPart(masked(body, box(85, 82, 5, 5)), apart)).toBe(false)
})

test.each([
  ['speck', box(80, 80, 8, 8)],
  ['thing larger than the people', box(80, 10, 60, 90)],
])('a linked %s is no part of a body', (_, end) => {
  expect(addOwnedObjects(masked(body), stretched(0.4, end))).toEqual(masked(body))
  expect(leavesOutPart(masked(body), stretched(0.4, end))).toBe(false)
})
