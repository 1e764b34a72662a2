import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { findFaces } from '#engine/tasks/faces/index.ts'
import { headView } from './index.ts'

const photo = join(import.meta.dirname, '../../../../tests/fixtures/photos/grace_hopper.jpg')

test('rejects a photograph if the matte is of another person', async () => {
  const host = createNodeHost(new AbortController().signal, () => {})
  const picture = await decodePicture(await readFile(photo))
  const [face] = await findFaces(picture, host)
  const beside = createPlane(256, 256)
  for (let i = 0; i < beside.data.length; i++) beside.data[i] = i % 256 < 40 ? 1 : 0
  const misled = { ...host, personMask: async () => beside }
  await expect(headView(picture, face!, [], misled)).rejects.toMatchObject({ code: 'engine.person_unclear' })
})
