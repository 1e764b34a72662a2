import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fitWithin } from '#engine/image/pixels.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import type { Box } from '#shared/media.ts'
import { testHost } from '#tests/support/test-host.ts'
import { findFaces } from './faces.ts'
import { isCoveredByHand } from './index.ts'
import { meshBox } from './mesh-geometry.ts'

const host = testHost()
const picture = await decodePicture(readFileSync('tests/fixtures/photos/astronaut.jpg'))
const [face] = await findFaces(picture, host)

/** Result with a hand at `box`, in shares of the face, in the first view or the mirrored second. */
async function coveredBy(box: Box, confidence = 0.6, look = 0): Promise<boolean> {
  const place = meshBox(face!.points)
  const around = { width: 2.2 * place.width, height: place.height + 1.2 * place.width }
  const scale = fitWithin(around, 320).width / around.width
  const hand = {
    x: (0.6 * place.width + box.x * place.width) * scale,
    y: (0.6 * place.width + box.y * place.height) * scale,
    width: box.width * place.width * scale,
    height: box.height * place.height * scale,
  }
  let looks = 0
  const hands = async () => (looks++ === look ? [{ box: hand, confidence, label: 'hand' }] : [])
  return isCoveredByHand(picture, face!, { ...host, hands })
}

test('a hand from below over the mouth covers a face', async () => {
  expect(await coveredBy({ x: 0.1, y: 0.6, width: 0.5, height: 0.8 })).toBe(true)
})

test('a hand found only in the mirrored view covers a face', async () => {
  expect(await coveredBy({ x: 0.1, y: 0.6, width: 0.5, height: 0.8 }, 0.6, 1)).toBe(true)
})

test('a hand under the chin covers a face and is searched in a brightened view', async () => {
  const night = { ...picture, data: picture.data.map((value, i) => (i % 4 === 3 ? value : 0.4 * value)) }
  const place = meshBox(face!.points)
  const brightest: number[] = []
  // The view is 2.2 faces wide and 320 pixels; the hand is below the left cheek.
  const scale = fitWithin({ width: 2.2 * place.width, height: 2.2 * place.width }, 320).width / (2.2 * place.width)
  const top = 1.1 * place.width - 0.9 * place.height
  const hand = {
    x: (0.6 + 0.05) * place.width * scale,
    y: (top + 0.65 * place.height) * scale,
    width: 0.35 * place.width * scale,
    height: 0.8 * place.height * scale,
  }
  const hands = async (seen: typeof picture) => {
    brightest.push(seen.data.reduce((most, value, i) => (i % 4 === 3 ? most : Math.max(most, value)), 0))
    return brightest.length === 4 ? [{ box: hand, confidence: 0.5, label: 'hand' }] : []
  }
  expect(await isCoveredByHand(night, face!, { ...host, hands })).toBe(true)
  expect(brightest).toHaveLength(4)
  expect(brightest[0]).toBeLessThan(110)
  expect(brightest[3]).toBeGreaterThan(200)
})

test.each([
  ['a nose detected as a hand', { x: 0.4, y: 0.3, width: 0.3, height: 0.4 }, 0.9],
  ['an ear detected as a hand', { x: -0.12, y: 0.3, width: 0.15, height: 0.25 }, 0.9],
  ['a hand at the throat', { x: 0.2, y: 1.1, width: 0.5, height: 0.5 }, 0.9],
  ['an uncertain detection', { x: 0.1, y: 0.6, width: 0.5, height: 0.8 }, 0.28],
])('%s does not cover a face', async (_, box, confidence) => {
  expect(await coveredBy(box, confidence)).toBe(false)
})

test('no face in the photographs of people counts as covered', async () => {
  const photographs = [['grace_hopper', 1] as const, ['astronaut', 1] as const, ['group', 3] as const]
  for (const [name, count] of process.env.SOAK ? photographs : photographs.slice(0, 1)) {
    const photograph = await decodePicture(readFileSync(`tests/fixtures/photos/${name}.jpg`))
    const faces = await findFaces(photograph, host)
    const covered = await Promise.all(faces.map((face) => isCoveredByHand(photograph, face, host)))
    expect(covered, name).toEqual(Array(count).fill(false))
  }
})
