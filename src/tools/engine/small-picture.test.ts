import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import { smallPictureEngine } from './internal-tools.ts'

test.each([
  [3000, 1500, 640, 320],
  [40, 30, 40, 30],
])('a picture of %d × %d becomes one of %d × %d', async (width, height, ...size) => {
  const input = { params: {}, inputs: { picture: [solidPicture(width, height, '#ff0000')] }, done: {} }
  const [output] = (await smallPictureEngine.render(input, undefined, {} as EngineHost)).outputs
  if (!output || !('picture' in output)) throw new Error('no picture')
  expect([output.picture.width, output.picture.height]).toEqual(size)
  expect([...output.picture.data.subarray(0, 4)]).toEqual([255, 0, 0, 255])
})
