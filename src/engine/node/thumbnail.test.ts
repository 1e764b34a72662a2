import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { photo } from '#tests/support/composites.ts'
import { encodeThumbnail } from './encode-output.ts'

/** Alpha falls from left to right over a cup, with green under the transparent part. */
async function fadingCup(width: number, height: number): Promise<Picture> {
  const data = await sharp(photo('coffee.jpg')).resize(width, height).ensureAlpha().raw().toBuffer()
  for (let i = 0; i < width * height; i++) {
    const alpha = Math.min(255, Math.max(0, Math.round(400 - (600 * (i % width)) / width)))
    if (alpha === 0) data.set([0, 255, 0], 4 * i)
    data[4 * i + 3] = alpha
  }
  return { width, height, data: new Uint8ClampedArray(data) }
}

const onGrey = (bytes: Uint8Array) => sharp(bytes).flatten({ background: '#808080' }).raw().toBuffer()

test('a thumbnail keeps aspect ratio and transparency', async () => {
  const large = { width: 900, height: 300, data: new Uint8ClampedArray(900 * 300 * 4) }
  const { bytes, width, height } = await encodeThumbnail(large, 320)
  expect([width, height]).toEqual([320, 107])
  expect(await sharp(bytes).metadata()).toMatchObject({ width, height, hasAlpha: true })
})

test('a small picture is not enlarged', async () => {
  const { width, height } = await encodeThumbnail(await fadingCup(200, 90), 320)
  expect([width, height]).toEqual([200, 90])
})

/** From 2560 pixels on a subsample is made. */
const sizes: [width: number, height: number][] = [
  [1000, 667],
  [641, 641],
  [2600, 650],
]
if (process.env.SOAK) sizes.push([3600, 2400])
test.each(sizes)(
  'the thumbnail of %i × %i pixels, made from a subsample, looks like one made from all pixels',
  async (width, height) => {
    const large = await fadingCup(width, height)
    const { bytes } = await encodeThumbnail(large, 320)
    const whole = await sharp(large.data, { raw: { width, height, channels: 4 } })
      .resize(320)
      .webp({ quality: 78, effort: 2 })
      .toBuffer()
    const [found, truth] = await Promise.all([onGrey(bytes), onGrey(whole)])
    expect(found.length).toBe(truth.length)
    const differences = found.reduce((sum, value, i) => sum + Math.abs(value - (truth[i] as number)), 0)
    expect(differences / found.length).toBeLessThan(3)
  },
)
