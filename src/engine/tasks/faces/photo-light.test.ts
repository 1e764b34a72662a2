import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodePicture } from '#engine/node/codecs.ts'
import { testHost } from '#tests/support/test-host.ts'
import { photoLight } from './assess-face.ts'
import { findFaces } from './index.ts'
import { meshNormals } from './mesh-geometry.ts'

const photo = join(import.meta.dirname, '../../../../tests/fixtures/photos/astronaut.jpg')

test('the direction of a light is found on a face that it shades', async () => {
  const host = testHost()
  const picture = await decodePicture(await readFile(photo))
  const [face] = await findFaces(picture, host)
  const normals = meshNormals(face!.points)
  for (const own of [
    [0.4, 0, 0],
    [-0.3, -0.2, 0],
    [0, 0.35, 0],
  ] as const) {
    const shaded = { ...picture, data: picture.data.slice() }
    for (const [index, [x, y]] of face!.points.entries()) {
      const [nx, ny] = normals[index]!
      const level = 130 * Math.exp(own[0] * nx + own[1] * ny)
      for (let v = -2; v <= 2; v++) {
        for (let u = -2; u <= 2; u++) {
          const at = 4 * ((Math.round(y) + v) * picture.width + Math.round(x) + u)
          shaded.data.fill(level, at, at + 3)
        }
      }
    }
    const found = photoLight(shaded, face!.points)
    for (const k of [0, 1] as const) expect(Math.abs(found[k] - own[k])).toBeLessThan(0.15)
  }
})
