import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { matteOf, pastePicture } from '#engine/image/pixels.ts'
import { testHost } from '#tests/support/test-host.ts'
import { findClosedGaps } from './closed-gaps.ts'

const side = 160
/** A body before a white wall, and a gap between its arm and its side. */
const [body, gap] = [
  { x: 40, y: 20, width: 80, height: 140 },
  { x: 90, y: 70, width: 14, height: 30 },
]

function filled(value: number, inGap: number, size = side): Plane {
  const plane = createPlane(size, size)
  for (let i = 0; i < plane.data.length; i++) {
    const [x, y] = [((i % size) * side) / size, (Math.floor(i / size) * side) / size]
    const isIn = (box: typeof body) => x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height
    plane.data[i] = isIn(gap) ? inGap : isIn(body) ? value : 0
  }
  return plane
}

/** Pixels found; `cloth` is the colour inside, the rest is what networks see there. */
async function find({ cloth = '#f0f0ee', person = 0.7, closer = 0, salience = 0.1 }): Promise<number> {
  const picture = solidPicture(side, side, '#f0f0f0')
  pastePicture(picture, solidPicture(body.width, body.height, '#303848'), body.x, body.y)
  pastePicture(picture, solidPicture(gap.width, gap.height, cloth), gap.x, gap.y)
  const host: EngineHost = {
    ...testHost(),
    // The closer view is a part of the picture, all of which gets the value in the gap.
    personMask: async () => createPlane(256, 256, closer),
    salience: async () => matteOf(filled(1, salience, 320)),
  }
  const found = await findClosedGaps(createMask(), filled(0.99, person), picture, host)
  return found?.reduce((sum, pixel) => sum + pixel, 0) ?? 0
}

const createMask = () => filled(1, 1)

test('a gap in a mask of people with the colours of the wall is found whole', async () => {
  expect(await find({})).toBe((gap.width + 2) * (gap.height + 2))
})

test.each([
  ['a white shirt before a white wall, of which the person model is sure', { person: 0.97 }],
  ['a white bag that salience sees', { salience: 0.9 }],
  ['a white cuff that a closer view shows', { closer: 0.9 }],
  ['a pattern in other colours than the wall', { cloth: '#c03020' }],
  ['a fold nearly as dark as the clothes', { cloth: '#38405a' }],
])('%s is no gap', async (_, change) => {
  expect(await find(change)).toBe(0)
})
