import { expect, test } from 'vitest'
import { cropPicture } from '#engine/image/pixels.ts'
import { resizePlane } from '#engine/image/plane.ts'
import { findSubject } from '#engine/tasks/subject-matte/find-subject.ts'
import { maskDifference } from '#engine/tasks/subject-matte/person-views.ts'
import { photo } from '#tests/support/composites.ts'
import type { EngineHost } from '../host.ts'
import { decodePicture } from '../node/codecs.ts'
import { createNodeHost } from '../node/host.ts'
import { resizePicture } from './pixels.ts'
import { figureDetectors } from './single-figure.ts'

const server = createNodeHost(new AbortController().signal, () => {})
function deviceHost(): EngineHost {
  const host: EngineHost = {
    ...server,
    resize: async (picture, width, height, part) =>
      resizePicture(part ? cropPicture(picture, part) : picture, width, height),
    cacheForResizing: (picture) => picture,
  }
  return Object.assign(host, figureDetectors(host))
}

const maskBy = async (host: EngineHost, name: string) =>
  (await findSubject(await decodePicture(photo(name)), { subject: 'auto' }, host)).mask

test('without detectors, a cup on which the person model is unsure is found as with them', async () => {
  const [found, wanted] = [await maskBy(deviceHost(), 'coffee.jpg'), await maskBy(server, 'coffee.jpg')]
  expect(maskDifference(resizePlane(found, wanted), wanted, 0.5)).toBeLessThan(0.02)
})

test('without detectors, a group and a cat that the person model takes for a person are not guessed', async () => {
  for (const name of ['group.jpg', 'chelsea.jpg']) {
    await expect(maskBy(deviceHost(), name)).rejects.toMatchObject({ name: 'NotOnDevice' })
  }
})
