import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { neutralWishes, relativeGrain, renderScene } from '#engine/tasks/background/index.ts'
import { photo } from '#tests/support/composites.ts'
import { sceneShadow } from './place-subject.ts'

function standing(top: number, bottom: number) {
  const matte = createPlane(300, 200)
  for (let y = top * 200; y < bottom * 200; y++) matte.data.fill(1, y * 300 + 120, y * 300 + 180)
  return matte
}

test.each([
  ['in the middle', 0.3, 0.7],
  ['that the upper edge cuts off', 0, 0.6],
  ['that the lower edge cuts off', 0.3, 1],
  ['as high as the picture', 0, 1],
])('the shadow of a subject %s is soft, and nowhere black', (_, top, bottom) => {
  for (const side of [-1, 0, 0.7]) {
    const { data } = sceneShadow(standing(top, bottom), side, true)!
    expect(data.every((value) => value >= 0 && value < 0.9)).toBe(true)
    expect(data.some((value) => value > 0.1)).toBe(true)
  }
})

test('a background is as grainy as its photograph, whose JPEG blocks are no grain', async () => {
  const compressed = await sharp(photo('astronaut.jpg')).resize(256).jpeg({ quality: 25 }).toBuffer()
  expect(relativeGrain(await decodePicture(compressed))).toBeLessThan(0.3)
  const order = { id: 'studio', width: 96, height: 96, seed: 1, wishes: neutralWishes(), side: 0 } as const
  const [smooth, grainy] = [0, 2].map((grain) => relativeGrain(renderScene({ ...order, grain }))) as [number, number]
  expect(grainy).toBeGreaterThan(3 * smooth)
})
