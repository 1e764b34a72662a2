import sharp from 'sharp'
import { expect, test } from 'vitest'
import { headFrame } from '#engine/tasks/faces/head.ts'
import { findRotatedFaces } from '#engine/tasks/faces/upright-face.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { decodePicture } from './codecs.ts'

const host = testHost()
const turned = async (name: string, degrees: number) =>
  decodePicture(await sharp(photo(name)).rotate(degrees, { background: '#888' }).jpeg({ quality: 90 }).toBuffer())

test.each(process.env.SOAK ? ['astronaut.jpg', 'grace_hopper.jpg'] : ['grace_hopper.jpg'])(
  'the roll of %s follows the picture’s rotation',
  async (name) => {
    const measured: number[] = []
    for (const angle of process.env.SOAK ? [0, 12, -25, 90, 180] : [0, -25, 180]) {
      const faces = await findRotatedFaces(await turned(name, angle), host)
      expect(faces).toHaveLength(1)
      const off = (headFrame(faces[0]!.points).roll * 180) / Math.PI - angle
      measured.push(((((off + 180) % 360) + 360) % 360) - 180)
    }
    expect(Math.max(...measured) - Math.min(...measured)).toBeLessThan(1)
  },
)

test('all faces of a group lying on its side are found', async () => {
  expect(await findRotatedFaces(await turned('group.jpg', 90), host)).toHaveLength(3)
})

test.each(process.env.SOAK ? ['chelsea.jpg', 'coffee.jpg'] : ['chelsea.jpg'])('%s has no face', async (name) => {
  expect(await findRotatedFaces(await turned(name, 0), host)).toEqual([])
})
