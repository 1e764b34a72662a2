import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { pastePicture } from '#engine/image/pixels.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { decodePicture } from '../../node/codecs.ts'
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
  const group = await decodePicture(await sharp(photo('group.jpg')).resize(600).png().toBuffer())
  const picture = solidPicture(800, group.height, '#8a8780')
  pastePicture(picture, group, 0, 0)
  const host = testHost()
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

const figure = { x: 140, y: 60, width: 30, height: 120 }
const standing = solidPicture(320, 200, '#101010')
pastePicture(standing, solidPicture(figure.width, figure.height, '#e0e0e0'), figure.x, figure.y)

/** A host that sees the figure's upper half in the whole picture, and `part` in a closer view. */
function hostSeeing(part: 'legs' | 'upper half', closerLabel: 'person' | undefined): EngineHost {
  let isWhole = true
  return {
    ...testHost(),
    faces: async () => [],
    objects: async ({ width, height }) => {
      isWhole = width === standing.width
      if (isWhole) return [{ label: 'person', confidence: 0.9, box: figure }]
      return closerLabel ? [{ label: closerLabel, confidence: 0.9, box: { x: 0, y: 0, width, height } }] : []
    },
    salience: async ({ width, height }) => ({ width, height, data: new Uint8Array(width * height) }),
    personMask: async ({ width, height, data }) => {
      const isBright = (i: number) => (data[4 * i] as number) > 128
      const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
        Array.from({ length: width }, (_, x) => y * width + x).some(isBright),
      )
      const last = isWhole || part === 'upper half' ? rows[Math.floor(rows.length / 2)] : rows.at(-1)
      const mask = createPlane(width, height)
      return { ...mask, data: mask.data.map((_, i) => (isBright(i) && i < width * ((last ?? 0) + 1) ? 1 : 0)) }
    },
  }
}

test.each(['person', undefined] as const)(
  'legs that the view of the whole picture lacks are found by a closer one that detects: %s',
  async (label) => {
    const matte = await findMatte(standing, { subject: 'auto', mayGuess: false }, hostSeeing('legs', label))
    expect(matte.data[170 * standing.width + 155]).toBeGreaterThan(200)
    const picked = await findMatte(standing, { subject: 'auto', people: [figure] }, hostSeeing('legs', label))
    expect(picked.data[170 * standing.width + 155]).toBeGreaterThan(200)
  },
)

test('a person whose legs no view finds is asked about', async () => {
  const unclear = await explainUnclearSubject(standing, { subject: 'auto' }, hostSeeing('upper half', undefined))
  expect(unclear?.code).toBe('engine.people_unsure')
})

test('a thing from edge to edge behind people, such as a wall, is asked about', async () => {
  const picture = solidPicture(320, 200, '#101010')
  pastePicture(picture, solidPicture(320, 60, '#3050a0'), 0, 0)
  pastePicture(picture, solidPicture(20, 60, '#e0e0e0'), 150, 120)
  const salienceTo = (share: number): EngineHost => ({
    ...hostSeeing('legs', undefined),
    objects: async () => [{ label: 'person', confidence: 0.42, box: { x: 150, y: 120, width: 20, height: 60 } }],
    salience: async ({ width, height }) => ({
      width,
      height,
      data: Uint8Array.from({ length: width * height }, (_, i) =>
        i < 0.3 * width * height && i % width < share * width ? 255 : 0,
      ),
    }),
  })
  const codeOf = async (share: number) =>
    (await explainUnclearSubject(picture, { subject: 'auto' }, salienceTo(share)))?.code
  expect(await codeOf(1)).toBe('engine.subject_unsure')
  expect(await codeOf(0.8)).toBeUndefined()
})
