import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { createRandom } from '#engine/image/random.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import { denoise, estimateNoise } from './denoise.ts'
import { enhance, measureNoise } from './enhance.ts'
import { correctLight, enhancePart, partWithSurroundings } from './index.ts'
import { findScratches } from './scratches.ts'
import { doubleSize } from './upscale.ts'

const soak = Boolean(process.env.SOAK)
const bytes = (name: string) => readFileSync(new URL(`../../../../tests/fixtures/photos/${name}`, import.meta.url))

function brightness({ width, height, data }: Picture): Plane {
  const plane = createPlane(width, height)
  for (let i = 0; i < plane.data.length; i++) {
    plane.data[i] = (0.299 * data[4 * i]! + 0.587 * data[4 * i + 1]! + 0.114 * data[4 * i + 2]!) / 255
  }
  return plane
}

/** Mean structural similarity (Wang et al. 2004) over windows of 7 × 7. */
function similarity(a: Plane, b: Plane): number {
  const times = (p: Plane, q: Plane) => boxBlur({ ...p, data: p.data.map((value, i) => value * q.data[i]!) }, 3).data
  const [p, q] = [boxBlur(a, 3).data, boxBlur(b, 3).data]
  const [pp, qq, pq] = [times(a, a), times(b, b), times(a, b)]
  let sum = 0
  for (let i = 0; i < p.length; i++) {
    const [mean, other] = [p[i]!, q[i]!]
    const top = (2 * mean * other + 1e-4) * (2 * (pq[i]! - mean * other) + 9e-4)
    sum += top / ((mean ** 2 + other ** 2 + 1e-4) * (pp[i]! - mean ** 2 + qq[i]! - other ** 2 + 9e-4))
  }
  return sum / p.length
}

const raw = ({ width, height, data }: Picture) => sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })

async function degrade(picture: Picture): Promise<Buffer> {
  const [width, height] = [picture.width / 2, picture.height / 2]
  const small = await raw(picture).resize(width, height).removeAlpha().raw().toBuffer()
  const random = createRandom(4)
  const noise = () => (random(256) + random(256) + random(256) + random(256) - 510) * (5 / 147.8)
  const noisy = Uint8ClampedArray.from(small, (value) => value + noise())
  return sharp(Buffer.from(noisy), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
}

const gentle = { scale: 1, denoise: 0.8, sharpness: 0.3 } as const

/** A scan of a print with black dots `apart` pixels from each other on a screen at 45°. */
async function printed(picture: Picture, apart: number): Promise<Buffer> {
  const [width, height] = [4 * picture.width, 4 * picture.height]
  const large = await raw(picture).removeAlpha().resize(width, height).toColourspace('b-w').raw().toBuffer()
  const wave = (value: number) => Math.cos((2 * Math.PI * value) / (4 * Math.SQRT2 * apart))
  for (let i = 0; i < large.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    large[i] = large[i]! < 255 * (0.5 + (wave(x + y) + wave(x - y)) / 4) ? 20 : 255
  }
  const soft = await sharp(large, { raw: { width, height, channels: 1 } })
    .blur(2.4)
    .toColourspace('b-w')
    .raw()
    .toBuffer()
  return sharp(soft, { raw: { width, height, channels: 1 } })
    .resize(picture.width, picture.height)
    .png()
    .toBuffer()
}

describe('enhancing', () => {
  test.each(soak ? ['astronaut.jpg', 'coffee.jpg', 'rocket.jpg'] : ['astronaut.jpg'])(
    'enlarges a degraded %s better than Lanczos',
    async (name) => {
      const source = sharp(bytes(name)).resize(400, 300, { fit: 'cover' })
      const truth = await decodePicture(await source.png().toBuffer())
      const degraded = await degrade(truth)
      const lanczos = await sharp(degraded).resize(400, 300, { kernel: 'lanczos3' }).png().toBuffer()
      const ours = enhance(await decodePicture(degraded), { scale: 2, denoise: 1, sharpness: 0.1 })
      const [wanted, theirs] = [brightness(truth), brightness(await decodePicture(lanczos))]
      expect(similarity(brightness(ours), wanted)).toBeGreaterThan(similarity(theirs, wanted) + 0.02)
    },
  )

  test.each(soak ? ['astronaut.jpg', 'chelsea.jpg', 'coffee.jpg'] : ['astronaut.jpg'])(
    'removes the dots of a printed %s, which brings it closer to the original',
    async (name) => {
      const truth = await decodePicture(
        await sharp(bytes(name)).resize(320, 320, { fit: 'cover' }).greyscale().toColourspace('srgb').png().toBuffer(),
      )
      const print = await decodePicture(await printed(truth, 5))
      expect(measureNoise(print).dots).toBeCloseTo(5, 0)
      expect(measureNoise(truth).dots).toBe(0)
      const [wanted, cleaned, left] = [truth, enhance(print, gentle), enhance(print, { ...gentle, denoise: 0 })]
      expect(similarity(brightness(cleaned), brightness(wanted))).toBeGreaterThan(
        similarity(brightness(left), brightness(wanted)) + 0.2,
      )
    },
  )

  test('makes no halo at an edge even at full sharpness', () => {
    const data = new Uint8ClampedArray(64 * 64 * 4)
    for (let i = 0; i < 64 * 64; i++) data.fill(i % 64 < 30 ? 60 : 190, 4 * i, 4 * i + 3)
    for (let i = 3; i < data.length; i += 4) data[i] = 255
    const { data: large, width } = enhance({ width: 64, height: 64, data }, { scale: 4, denoise: 1, sharpness: 1 })
    expect(width).toBe(256)
    const red = large.filter((_, i) => i % 4 === 0).toSorted()
    expect(red[0]).toBeGreaterThan(60 - 18)
    expect(red.at(-1)).toBeLessThan(190 + 18)
  })

  test('measures noise within a third and removes most of it', () => {
    const random = createRandom(2)
    const truth = createPlane(160, 160)
    for (let i = 0; i < truth.data.length; i++) truth.data[i] = (i % 160) / 320 + (Math.floor(i / 160) > 80 ? 0.3 : 0.1)
    const sigma = 0.03
    const noise = () => (random(256) + random(256) + random(256) + random(256) - 510) * (sigma / 147.8)
    const noisy = { ...truth, data: truth.data.map((value) => value + noise()) }
    const found = estimateNoise(noisy)
    expect(found / sigma).toBeGreaterThan(0.67)
    expect(found / sigma).toBeLessThan(1.33)
    const error = (plane: Plane) => plane.data.reduce((sum, value, i) => sum + (value - truth.data[i]!) ** 2, 0)
    expect(error(denoise(noisy, found))).toBeLessThan(0.15 * error(noisy))
  })

  test('shows no seam between bands of rows', async () => {
    const tall = await decodePicture(
      await sharp(bytes('coffee.jpg')).resize(96, 1100, { fit: 'cover' }).png().toBuffer(),
    )
    const { data, width } = enhance(tall, { scale: 2, denoise: 1, sharpness: 0.5 })
    const step = (y: number) => {
      let sum = 0
      for (let i = y * width * 4; i < (y + 1) * width * 4; i++) sum += Math.abs(data[i]! - data[i - width * 4]!)
      return sum / (width * 4)
    }
    expect(step(1024)).toBeLessThan(2 * (step(1020) + step(1022) + step(1026) + step(1028)))
    expect(step(1024)).toBeLessThan(8)
  })

  test('doubling keeps means and stays centred', () => {
    const plane = createPlane(40, 30)
    for (let i = 0; i < plane.data.length; i++) plane.data[i] = 0.2 + (0.6 * (i % 40)) / 39
    const large = doubleSize(plane)
    for (let x = 8; x < 72; x++) expect(large.data[30 * 80 + x]).toBeCloseTo(0.2 + (0.6 * (x / 2 - 0.25)) / 39, 2)
  })

  test.each([
    [1, { x: 0, y: 40, width: 90, height: 70 }],
    [2, { x: 101, y: 57, width: 90, height: 60 }],
    ...(process.env.SOAK ? ([[4, { x: 175, y: 122, width: 50, height: 40 }]] as const) : []),
  ] as const)('enlarges a part %i times like the whole picture', async (scale, part) => {
    const source = await decodePicture(
      await sharp(bytes('coffee.jpg')).resize(240, 180).jpeg({ quality: 60 }).toBuffer(),
    )
    const options = { scale, denoise: 0.8, sharpness: 0.5, light: 0.6, colour: 0.4 }
    const large = correctLight(enhance(source, options), options)
    const expected = cropPicture(large, {
      x: scale * part.x,
      y: scale * part.y,
      width: scale * part.width,
      height: scale * part.height,
    })
    const pixels = cropPicture(source, partWithSurroundings(part, source))
    const whole = { ...source, noise: measureNoise(source), small: source }
    const made = enhancePart(pixels, part, whole, options)
    expect([made.width, made.height]).toEqual([expected.width, expected.height])
    const off = made.data.reduce((sum, value, i) => sum + Math.abs(value - expected.data[i]!), 0) / made.data.length
    expect(off).toBeLessThan(1)
  })

  test('corrects a dark picture with a cast and hardly changes a good one', async () => {
    const good = await decodePicture(bytes('coffee.jpg'))
    const factors = [0.5, 0.4, 0.34]
    const poor = { ...good, data: good.data.map((value, i) => (i % 4 === 3 ? value : value * factors[i % 4]!)) }
    const off = (a: Picture) =>
      a.data.reduce((sum, value, i) => sum + Math.abs(value - good.data[i]!), 0) / a.data.length
    const before = off(poor)
    expect(off(correctLight({ ...poor, data: poor.data.slice() }, { light: 1, colour: 0.6 }))).toBeLessThan(
      0.6 * before,
    )
    expect(off(correctLight({ ...good, data: good.data.slice() }, { light: 0.5, colour: 0.3 }))).toBeLessThan(14)
  })
})

describe('scratches', () => {
  const old = async (name: string) => decodePicture(await sharp(bytes(name)).greyscale().png().toBuffer())

  test('long bright and dark scratches are found and repaired', async () => {
    for (const name of ['grace_hopper.jpg', 'chelsea.jpg']) {
      const clean = await old(name)
      const { width, height } = clean
      const scratched = { ...clean, data: clean.data.slice() }
      const put = (x: number, y: number, level: number) => {
        const at = 4 * (Math.round(y) * width + Math.round(x))
        scratched.data.fill(level, at, at + 3)
      }
      for (let k = 0; k < 2; k++) {
        for (let y = 0; y < 0.6 * height; y++) put(0.3 * width + y / 25 + k, y, 244)
        for (let x = Math.round(0.1 * width); x < 0.7 * width; x++) {
          put(x, 0.8 * height + 5 * Math.sin(x / 60) + k, 12)
        }
      }
      const mask = findScratches(scratched)
      const repaired = mask ? inpaint(scratched, mask) : scratched
      const [truth, before, after] = [clean, scratched, repaired].map(brightness)
      const off = (plane: Plane) => plane.data.reduce((sum, value, i) => sum + (value - truth!.data[i]!) ** 2, 0)
      expect([name, off(after!) / off(before!) < 0.5]).toEqual([name, true])
    }
  })

  test('whiskers, folds, stalks and the joints of a wall are not scratches', { tags: 'soak' }, async () => {
    for (const name of ['chelsea.jpg', 'astronaut.jpg', 'seeding.jpg', 'brick.jpg']) {
      expect([name, findScratches(await old(name))]).toEqual([name, undefined])
    }
  })
})
