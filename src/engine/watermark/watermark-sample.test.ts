import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin, flatten } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { keyedRandomness } from '#engine/node/watermark-randomness.ts'
import { photo } from '../../../tests/support/composites.ts'
import { removeWatermark, type Sampler, visitorSample } from '../../../tests/support/remove-watermark.ts'
import { channelsOf, decibels } from '../../../tests/support/watermark-attacks.ts'
import { createFrame } from '../video/frame.ts'
import { frameSampler } from './frames.ts'
import { writeDeviceLetters, writeLetters } from './watermark-letters.ts'
import { makeSample } from './watermark-sample.ts'

const key = new Uint8Array(32).fill(5)

const copyOf = ({ width, height, data }: Picture): Picture => ({ width, height, data: data.slice() })

function plain(level: number, alpha = 255): Picture {
  const data = new Uint8ClampedArray(4 * 640 * 420)
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? alpha : level
  return { width: 640, height: 420, data }
}

/** Attacks take long on large pictures. */
async function reduced(name: string): Promise<Picture> {
  const whole = await decodePicture(photo(name))
  const { width, height } = fitWithin(whole, 176)
  return resamplePart(whole, { x: 0, y: 0, width: whole.width, height: whole.height }, width, height)
}
const photograph = async (name: string) => flatten(await reduced(name), 255, 255, 255)

/** Differs by more than a few levels in any channel. */
function changed(one: Picture, other: Picture): boolean[] {
  return Array.from({ length: one.data.length / 4 }, (_, i) =>
    [0, 1, 2, 3].some((c) => Math.abs((one.data[4 * i + c] as number) - (other.data[4 * i + c] as number)) > 5),
  )
}

test.each([
  ['white', plain(255)],
  ['grey', plain(128)],
  ['black', plain(0)],
  ['nothing', plain(0, 0)],
])('letters show on %s, in every quarter of a side', (_, picture) => {
  const marks = changed(picture, writeLetters(copyOf(picture), keyedRandomness(key, picture.data)))
  const { width, height } = picture
  for (let top = 0; top < height; top += height / 4) {
    for (let left = 0; left < width; left += width / 4) {
      let count = 0
      for (let y = top; y < top + height / 4; y++) {
        for (let x = left; x < left + width / 4; x++) if (marks[y * width + x]) count++
      }
      expect([left, top, count > 0.02 * ((width * height) / 16)]).toEqual([left, top, true])
    }
  }
})

test('letters of a device stay in place while the picture changes, and show at each size', () => {
  const marks = (picture: Picture) => changed(picture, writeDeviceLetters(copyOf(picture)))
  const { width, height } = plain(255)
  const share = (found: boolean[]) => found.filter(Boolean).length / found.length
  const onGrey = marks(plain(128))
  const onNothing = marks(plain(0, 0))
  expect(share(onGrey)).toBeGreaterThan(0.02)
  expect(onGrey.every((mark, i) => !mark || onNothing[i])).toBe(true)
  const data = new Uint8ClampedArray(4 * 200 * 120).fill(255)
  expect([width, height]).not.toEqual([200, 120])
  expect(share(marks({ width: 200, height: 120, data }))).toBeGreaterThan(0.02)
  expect(marks(plain(128))).toEqual(onGrey)
})

test('the sample depends only on key and picture', async () => {
  const picture = await photograph('grace_hopper.jpg')
  const sampleOf = (of: Picture, by = key) => makeSample(of, keyedRandomness(by, of.data))
  const sample = sampleOf(picture)
  expect(sampleOf(copyOf(picture)).data).toEqual(sample.data)

  const otherKey = key.with(31, 6)
  const other = copyOf(picture)
  other.data[0] = 255 - (other.data[0] as number)
  const differs = (one: Picture) => changed(sample, one).filter(Boolean).length / (sample.data.length / 4)
  expect(differs(sampleOf(picture, otherKey))).toBeGreaterThan(0.5)
  expect(differs(sampleOf(other))).toBeGreaterThan(0.3)
})

test.each(process.env.SOAK ? ['grace_hopper.jpg', 'rocket.jpg'] : ['rocket.jpg'])(
  'a preview of %s still shows the result, and its watermark cannot be removed or averaged away',
  async (name) => {
    const paid = await photograph(name)
    // A tool that changes all of the picture a little.
    const input = copyOf(paid)
    for (let i = 0; i < input.data.length; i++) if (i % 4 !== 3) input.data[i] = 0.8 * (paid.data[i] as number)
    const shown = await visitorSample(paid, input, key)
    expect(decibels(channelsOf(shown), channelsOf(paid))).toBeGreaterThan(17)
    const { blind } = await removeWatermark({ plain: paid, input, paid }, { key, crops: 3 })
    expect(blind.decibels).toBeLessThan(30)
  },
)

test('the attacks succeed if a sample has only letters', async () => {
  const paid = await photograph('rocket.jpg')
  const make: Sampler = (plain, _, draws) => writeLetters(copyOf(plain), draws)
  const { blind } = await removeWatermark({ plain: paid, input: paid, paid }, { key, crops: 1, make })
  expect(blind.decibels).toBeGreaterThan(32)
})

test('a removed object’s area cannot be recovered from the surrounding input', async () => {
  const paid = await photograph('astronaut.jpg')
  const input = copyOf(paid)
  for (let y = 0; y < input.height; y++) {
    for (let x = 0; x < input.width; x++) {
      if (Math.hypot(x - 69, y - 114) > 21) continue
      input.data.set([40, 200, 90], 4 * (y * input.width + x))
    }
  }
  const { knownWork, plainWork, share } = await removeWatermark({ plain: paid, input, paid }, { key, crops: 3 })
  expect(share).toBeLessThan(0.1)
  expect(plainWork).toBeGreaterThan(60)
  expect(knownWork.decibels).toBeLessThan(30)
})

test('the edge of a cut-out cannot be recovered with the input', async () => {
  const input = await photograph('coffee.jpg')
  const matte = await reduced('coffee.alpha.png')
  const paid = copyOf(input)
  for (let i = 0; i < paid.data.length; i += 4) paid.data[i + 3] = matte.data[i] as number
  const { known, alpha, blind } = await removeWatermark({ plain: paid, input, paid }, { key, crops: 3 })
  expect(Math.max(known.decibels, alpha.decibels, blind.decibels)).toBeLessThan(30)
})

test('thin parts of a cut-out stay whole, also where its edge moves', () => {
  const bars = plain(90, 0)
  const { width, height, data } = bars
  const isBar = (x: number) => x % 40 >= 20 && x % 40 < 24
  for (let i = 0; i < width * height; i++) if (isBar(i % width)) data[4 * i + 3] = 255
  const { data: made } = makeSample(bars, keyedRandomness(key, data))
  // Letters cover 0.32 at most.
  const isSolid = (x: number, y: number) => (made[4 * (y * width + x) + 3] as number) > 0.6 * 255
  const broken: number[][] = []
  let moved = 0
  for (let bar = 20; bar < width; bar += 40) {
    for (let y = 10; y < height - 10; y++) {
      const seen = Array.from({ length: 24 }, (_, i) => bar - 10 + i).filter((x) => isSolid(x, y))
      if (seen.length === 0) broken.push([bar, y])
      if (!seen.every(isBar)) moved++
    }
  }
  expect(broken).toEqual([])
  expect(moved).toBeGreaterThan(0.5 * (width / 40) * (height - 20))
})

test('frames of a video have one watermark, also where they are transparent', () => {
  const size = { width: 320, height: 180 }
  const sample = frameSampler(size, keyedRandomness(key, new Uint8Array(8)))
  const frames = [0, 1].map(() => {
    const frame = createFrame(320, 180, 'bt601')
    frame.y.fill(16)
    frame.u.fill(128)
    frame.v.fill(128)
    return { ...frame, alpha: new Uint8Array(320 * 180) }
  })
  for (const frame of frames) sample(frame)
  const [first, second] = frames
  expect(first?.alpha).toEqual(second?.alpha)
  expect(first?.y).toEqual(second?.y)
  const seen = first?.alpha.filter((level, i) => level > 30 && (first.y[i] as number) > 100).length ?? 0
  expect(seen).toBeGreaterThan(0.02 * 320 * 180)

  const opaque = createFrame(320, 180, 'bt601')
  for (let i = 0; i < opaque.y.length; i++) opaque.y[i] = 60 + (i % 320) / 3
  opaque.u.fill(120)
  opaque.v.fill(140)
  const before = opaque.y.slice()
  sample(opaque)
  const squares = before.reduce((sum, level, i) => sum + (level - (opaque.y[i] as number)) ** 2, 0)
  expect(10 * Math.log10((255 ** 2 * before.length) / squares)).toBeLessThan(30)
})
