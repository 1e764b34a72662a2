import { expect, test } from 'vitest'
import type { DetectedObject, EngineHost, Face } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import type { Box } from '#shared/media.ts'
import { testHost } from '#tests/support/test-host.ts'
import { detectPeople, findPersonAt } from './detect-people.ts'
import { findObjects } from './find-object.ts'

const crowd = solidPicture(400, 200, '#808080')
const person = (box: Box): DetectedObject => ({ box, confidence: 0.9, label: 'person' })
const foundFace = (box: Box): Face => ({ box, confidence: 1, fit: 1, points: [], pose: { yaw: 0, pitch: 0, roll: 0 } })
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

test('an unsure figure counts where it stands below a face that no other one has', async () => {
  const standing = { x: 20, y: 60, width: 30, height: 120 }
  const boxes = [standing, { ...standing, x: 80, width: 70 }, { ...standing, x: 170 }]
  const unsure = boxes.map((box) => ({ ...person(box), confidence: 0.2 }))
  const host: EngineHost = {
    ...testHost(),
    faces: async ({ width }) =>
      width === crowd.width
        ? boxes.slice(0, 2).map(({ x }) => foundFace({ x: x + 5, y: 62, width: 20, height: 20 }))
        : [],
  }
  const found = await detectPeople(crowd, undefined, async () => unsure, host)
  expect(found.standing).toEqual([standing])
  expect(found.seen.map(({ part }) => part)).toEqual(['face', 'face'])
})

test('a tap finds the person whose face only a close view of the tap shows', async () => {
  const host: EngineHost = {
    ...testHost(),
    // The view of 60 pixels around the tap is looked at in 480.
    faces: async ({ width }) => (width === 480 ? [foundFace({ x: 200, y: 200, width: 80, height: 80 })] : []),
    objects: async () => [],
  }
  const person = await findPersonAt(crowd, { x: 300, y: 100 }, host)
  expect(person).toMatchObject({ body: { x: 288, y: 92, width: 24, height: 70 } })
  expect(await findPersonAt(crowd, { x: 300, y: 60 }, host)).toMatchObject({ body: { y: 52 } })
  const faceless: EngineHost = { ...host, faces: async () => [] }
  expect(await findPersonAt(crowd, { x: 300, y: 100 }, faceless)).toBeUndefined()
  // Closer views show only a part of a body that fills the picture.
  const objects: EngineHost['objects'] = async ({ width }) => (width === crowd.width ? front(5) : [])
  expect(await findPersonAt(crowd, { x: 260, y: 150 }, { ...faceless, objects })).toMatchObject({ body: { x: 250 } })
})
