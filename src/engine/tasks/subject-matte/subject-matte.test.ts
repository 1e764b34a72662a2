import { expect, test } from 'vitest'
import { solidPicture } from '#engine/image/composite.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { pastePicture } from '#engine/image/pixels.ts'
import { photo } from '#tests/support/composites.ts'
import { decodePicture } from '../../node/codecs.ts'
import { createNodeHost } from '../../node/host.ts'
import { explainUnclearSubject, findMatte, mergePeopleMattes } from './subject-matte.ts'

function boxes(...places: [left: number, right: number, value?: number][]): Plane {
  const plane = createPlane(100, 40)
  for (const [left, right, value = 1] of places) {
    for (let y = 0; y < 40; y++) plane.data.fill(value, 100 * y + left, 100 * y + right)
  }
  return plane
}

test('takes a confident network’s matte with held objects and its own edges', () => {
  const network = boxes([9, 10, 0.4], [10, 60])
  expect(mergePeopleMattes(network, boxes([12, 40]))).toEqual(network)
})

test('adds a person the network missed', () => {
  const found = mergePeopleMattes(boxes([10, 40], [60, 61, 0.2]), boxes([12, 38], [60, 80]))
  expect(found).toEqual(boxes([10, 40], [60, 80]))
})

test('drops a doubtful region beside a certain person', () => {
  expect(mergePeopleMattes(boxes([10, 40], [50, 90, 0.5]), boxes([12, 40]))).toEqual(boxes([10, 40]))
})

test('falls back to the person model’s matte if the network hesitates', () => {
  const own = boxes([12, 40])
  expect(mergePeopleMattes(boxes([10, 40], [40, 90, 0.5]), own)).toBe(own)
})

test('a person whom the detector sees and the mask lacks is asked about, with everyone else', async () => {
  const group = await decodePicture(photo('group.jpg'))
  const picture = solidPicture(1600, 450, '#8a8780')
  pastePicture(picture, group, 0, 0)
  const host = createNodeHost(new AbortController().signal, () => {})
  // The area beside the portraits is empty.
  const objects: typeof host.objects = async ({ width, height }) => [
    { label: 'person', confidence: 0.6, box: { x: 0.8 * width, y: 0, width: 0.2 * width, height } },
  ]
  const unclear = await explainUnclearSubject(picture, { subject: 'auto' }, { ...host, objects })
  expect(unclear?.code).toBe('engine.people_unsure')
  expect(unclear?.people?.length).toBeGreaterThan(2)
  const asked = { subject: 'auto', mayGuess: false } as const
  await expect(findMatte(picture, asked, { ...host, objects })).rejects.toMatchObject({ code: 'engine.people_unsure' })
})
