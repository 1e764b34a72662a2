import sharp from 'sharp'
import { expect, test } from 'vitest'
import { decodePicture } from '#engine/node/codecs.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { selectObject } from './index.ts'

async function selected(name: string, x: number, y: number) {
  const picture = await decodePicture(await sharp(photo(name)).resize(640, 640, { fit: 'inside' }).png().toBuffer())
  const { width, height } = picture
  const mask = await selectObject(picture, [{ x: x * width, y: y * height, keep: true }], testHost())
  return (
    mask && { mask, at: (u: number, v: number) => mask.data[Math.floor(v * height) * width + Math.floor(u * width)] }
  )
}

test('a point on the clothes of one person of a group selects that person up to the hat, without the others', async () => {
  const found = await selected('group.jpg', 0.5, 0.85)
  const own = [found?.at(0.51, 0.1), found?.at(0.53, 0.35), found?.at(0.42, 0.8), found?.at(0.65, 0.8)]
  const others = [found?.at(0.18, 0.2), found?.at(0.3, 0.85), found?.at(0.85, 0.5), found?.at(0.6, 0.1)]
  expect({ own, others }).toEqual({ own: [1, 1, 1, 1], others: [0, 0, 0, 0] })
})

test('a point on a thing selects the thing', async () => {
  const { mask } = (await selected('coffee.jpg', 0.45, 0.5)) ?? {}
  if (!mask) throw new Error('nothing was selected')
  const { width, height } = mask
  const truth = await sharp(photo('coffee.alpha.png')).toColourspace('b-w').resize(width, height).raw().toBuffer()
  const both = mask.data.filter((value, i) => value === 1 && truth[i]! > 127).length
  const either = mask.data.filter((value, i) => value === 1 || truth[i]! > 127).length
  expect(both / either).toBeGreaterThan(0.9)
})

test('a point on a bare wall selects nothing', async () => {
  expect(await selected('brick.jpg', 0.5, 0.5)).toBeUndefined()
})
