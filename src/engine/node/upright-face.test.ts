import sharp from 'sharp'
import { expect, test } from 'vitest'
import { similarityTo } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { headFrame } from '#engine/tasks/faces/head.ts'
import { meshOffset, moveFace, moveMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { faceMeshes, findRotatedFaces, uprightFaces } from '#engine/tasks/faces/upright-face.ts'
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

test('the mesh of a tilted face, by which eyes and brows are drawn, lies where an upright one would', async () => {
  const [straight, tilted] = [await turned('grace_hopper.jpg', 0), await turned('grace_hopper.jpg', -25)]
  const [[upright], [mesh]] = [await faceMeshes(straight, host), await faceMeshes(tilted, host)]
  const middle = ({ width, height }: Picture) => ({ x: width / 2, y: height / 2 })
  const turn = similarityTo(middle(straight), middle(tilted), (-25 * Math.PI) / 180, 1)
  expect(meshOffset(moveMesh(upright!, turn), mesh!)).toBeLessThan(0.02)
})

test('all faces of a group lying on its side are found', async () => {
  expect(await findRotatedFaces(await turned('group.jpg', 90), host)).toHaveLength(3)
})

test('a face that the detector saw twice is one face', async () => {
  const picture = await turned('grace_hopper.jpg', 0)
  const [face] = await findRotatedFaces(picture, host)
  const { x, y, width } = face!.box
  const twice = [face!, moveFace(face!, similarityTo({ x, y }, { x: x + 0.1 * width, y: y - 0.1 * width }, 0, 0.8))]
  expect(await uprightFaces(picture, twice, host)).toHaveLength(1)
})

test.each(process.env.SOAK ? ['chelsea.jpg', 'coffee.jpg'] : ['chelsea.jpg'])('%s has no face', async (name) => {
  expect(await findRotatedFaces(await turned(name, 0), host)).toEqual([])
})
