import sharp from 'sharp'
import { expect, test } from 'vitest'
import { decodePicture } from '#engine/node/codecs.ts'
import { compareAlpha, photo } from '#tests/support/composites.ts'
import { segmentAtTap, tapPictureSide } from './index.ts'

const small = async (name: string) =>
  decodePicture(await sharp(photo(name)).resize(tapPictureSide, tapPictureSide, { fit: 'inside' }).png().toBuffer())

test('a tap on an object selects the whole object', async () => {
  const picture = await small('coffee.jpg')
  const { width, height, data } = await segmentAtTap(picture, 0.45 * picture.width, 0.5 * picture.height)
  const truth = await sharp(photo('coffee.alpha.png')).toColourspace('b-w').resize(width, height).raw().toBuffer()
  expect(compareAlpha(data.map((value) => 255 * value) as unknown as Uint8Array, truth).overlap).toBeGreaterThan(0.8)
})

test('a tap on a person selects the tapped part up to its edges, without the background', async () => {
  const picture = await small('astronaut.jpg')
  const { width, height, data } = await segmentAtTap(picture, 0.45 * picture.width, 0.3 * picture.height)
  const at = (x: number, y: number) => data[Math.floor(y * height) * width + Math.floor(x * width)]
  expect([at(0.45, 0.2), at(0.42, 0.06), at(0.65, 0.2), at(0.2, 0.2), at(0.9, 0.3)]).toEqual([1, 1, 0, 0, 0])
})

test('a tap outside the picture selects something at its border', async () => {
  const picture = await small('brick.jpg')
  expect((await segmentAtTap(picture, -5, 900)).data.some((value) => value === 1)).toBe(true)
})
