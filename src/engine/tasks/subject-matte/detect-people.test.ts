import { expect, test } from 'vitest'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import type { Box } from '#shared/media.ts'
import { testHost } from '#tests/support/test-host.ts'
import { detectPeople } from './detect-people.ts'
import { findObjects } from './find-object.ts'

const crowd = solidPicture(400, 200, '#808080')
const person = (box: Box): DetectedObject => ({ box, confidence: 0.9, label: 'person' })
const front = (count: number) =>
  Array.from({ length: count }, (_, i) => person({ x: 10 + 60 * i, y: 100, width: 30, height: 90 }))

/** People found where the whole shows `count` of them, and each tile shows `inTile`. */
async function peopleFound(count: number, inTile: Box) {
  const host: EngineHost = {
    ...testHost(),
    faces: async () => [],
    objects: async ({ width }) => (width === crowd.width ? front(count) : [person(inTile)]),
  }
  return (await detectPeople(crowd, undefined, () => findObjects(crowd, host), host)).figures
}

const behind = { x: 60, y: 10, width: 20, height: 60 }

test('among many people, those whom only a closer look sees are found', async () => {
  // Tiles of 200 pixels begin at 0, 100 and 200.
  expect((await peopleFound(5, behind)).slice(5)).toEqual([0, 100, 200].map((x) => ({ ...behind, x: x + behind.x })))
})

test('few people are not looked at again', async () => {
  expect(await peopleFound(4, behind)).toHaveLength(4)
})

test('a person whom the edge of a tile cuts counts only at the edge of the picture', async () => {
  const atLeft = { ...behind, x: 0 }
  expect((await peopleFound(5, atLeft)).slice(5)).toEqual([atLeft])
})

test('a part of a person already found is not another one', async () => {
  const chest = { x: 12, y: 110, width: 20, height: 30 }
  const found = await peopleFound(5, chest)
  expect(found).not.toContainEqual(chest)
})
