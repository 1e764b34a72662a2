import sharp from 'sharp'
import { expect, test } from 'vitest'
import { decodePicture } from '#engine/node/codecs.ts'
import { photo } from '#tests/support/composites.ts'
import { segmentAtTap, tapPictureSide } from './index.ts'

const small = async (name: string) =>
  decodePicture(await sharp(photo(name)).resize(tapPictureSide, tapPictureSide, { fit: 'inside' }).png().toBuffer())

test('a tap on an object selects much of it and hardly anything else', async () => {
  const picture = await small('coffee.jpg')
  const { width, height, data } = await segmentAtTap(picture, 0.45 * picture.width, 0.5 * picture.height)
  const truth = await sharp(photo('coffee.alpha.png')).toColourspace('b-w').resize(width, height).raw().toBuffer()
  const count = (isMeant: (i: number) => boolean) => data.filter((_, i) => isMeant(i)).length
  const both = count((i) => data[i] === 1 && truth[i]! > 127)
  expect(both / count((i) => data[i] === 1)).toBeGreaterThan(0.9)
  expect(both / count((i) => truth[i]! > 127)).toBeGreaterThan(0.45)
})

test('a tap on one thing of several leaves its neighbours alone', async () => {
  const picture = await small('group.jpg')
  const { width, height, data } = await segmentAtTap(picture, 0.3 * picture.width, 0.85 * picture.height)
  const at = (x: number, y: number) => data[Math.floor(y * height) * width + Math.floor(x * width)]
  // A helmet between the suits of two people.
  expect([at(0.3, 0.85), at(0.27, 0.75), at(0.12, 0.75), at(0.5, 0.85), at(0.62, 0.75)]).toEqual([1, 1, 0, 0, 0])
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
