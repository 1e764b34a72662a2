import { expect, test } from 'vitest'
import { cropPicture } from '#engine/image/pixels.ts'
import { findSubject } from '#engine/tasks/subject-matte/find-subject.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import type { EngineHost } from '../host.ts'
import { decodePicture } from '../node/codecs.ts'
import { resizePicture } from './pixels.ts'
import { figureDetectors } from './single-figure.ts'

const server = testHost()
function deviceHost(): EngineHost {
  const host: EngineHost = {
    ...server,
    resize: async (picture, width, height, part) =>
      resizePicture(part ? cropPicture(picture, part) : picture, width, height),
    cacheForResizing: (picture) => picture,
  }
  return Object.assign(host, figureDetectors(host))
}

const maskBy = async (name: string) =>
  (await findSubject(await decodePicture(photo(name)), { subject: 'auto' }, deviceHost())).mask

test('without detectors, a cup on which the person model is unsure is found as a thing', async () => {
  const { width, height, data } = await maskBy('coffee.jpg')
  const at = (x: number, y: number) => data[Math.floor(y * height) * width + Math.floor(x * width)] as number
  expect(Math.min(at(0.48, 0.28), at(0.37, 0.55))).toBeGreaterThan(0.9)
  expect(Math.max(at(0.03, 0.04), at(0.97, 0.95))).toBeLessThan(0.1)
})

test('without detectors, a group and a cat that the person model takes for a person are not guessed', async () => {
  for (const name of ['group.jpg', 'chelsea.jpg']) {
    await expect(maskBy(name)).rejects.toMatchObject({ name: 'NotOnDevice' })
  }
})
