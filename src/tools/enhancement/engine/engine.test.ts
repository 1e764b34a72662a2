import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readCameraSettings } from '#engine/node/codecs.ts'
import { photo } from '#tests/support/composites.ts'
import { checkWithTool, runTool, toolPool } from '#tests/support/run-tool.ts'
import { toolContracts } from '#tools/contracts.ts'

const soak = Boolean(process.env.SOAK)

test.each([1, 2, 4] as const)('a picture becomes %i times larger', async (scale) => {
  const small = await sharp(photo('coffee.jpg')).resize(150, 100).jpeg({ quality: 60 }).toBuffer()
  const { outputs } = await runTool(toolPool, 'enhancement', { params: { scale }, inputs: { picture: [small] } })
  expect(outputs[0]).toMatchObject({ width: 150 * scale, height: 100 * scale, contentType: 'image/jpeg' })
})

test('transparency is kept, and with everything at zero and the same size so is every pixel', async () => {
  const source = await sharp(photo('coffee.jpg')).resize(120, 80).ensureAlpha(0.5).png().toBuffer()
  const params = { scale: 1, denoise: 0, sharpness: 0, light: 0, colour: 0, format: 'png' }
  const { outputs } = await runTool(toolPool, 'enhancement', { params, inputs: { picture: [source] } })
  const raw = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
  const [before, after] = await Promise.all([raw(source), raw(outputs[0]!.bytes)])
  expect(after.length).toBe(before.length)
  expect([...before].filter((value, i) => Math.abs(value - after[i]!) > 1)).toEqual([])
})

test('a result of more than 50 megapixels is refused before it is paid', () => {
  const { problems, defaults } = toolContracts.enhancement
  const facts = (width: number, height: number) => ({
    inputs: { picture: [{ width, height, seconds: 0, bytes: 1, contentType: 'image/jpeg' }] },
  })
  expect(problems?.({ ...defaults, scale: 4 }, facts(4000, 3000))).toEqual([
    { path: 'scale', code: 'upload.too_many_pixels' },
  ])
  expect(problems?.({ ...defaults, scale: 2 }, facts(4000, 3000))).toEqual([])
})

test.each(['jpeg', 'png', 'webp'] as const)(
  'camera and settings stay in a %s only on request, and the location never does',
  async (format) => {
    const taken = await sharp(photo('coffee.jpg'))
      .resize(150, 100)
      .jpeg()
      .withExif({ IFD0: { Model: 'R1' }, IFD2: { ExposureTime: '1/200' }, IFD3: { GPSLatitude: '6/1 12/1 0/1' } })
      .toBuffer()
    const run = async (metadata: boolean) => {
      const params = { scale: 1, metadata, format }
      const { outputs } = await runTool(toolPool, 'enhancement', { params, inputs: { picture: [taken] } })
      return outputs[0]!.bytes
    }
    const [kept, stripped] = await Promise.all([run(true), run(false)])
    expect(await readCameraSettings(kept)).toEqual({ IFD0: { Model: 'R1' }, IFD2: { ExposureTime: '1/200' } })
    expect((await sharp(kept).metadata()).hasProfile).toBe(true)
    expect(Buffer.from(kept).includes('GPS')).toBe(false)
    expect((await sharp(stripped).metadata()).exif).toBeUndefined()
  },
)

test('eyes become sharper than skin, and areas without a face are unchanged', async () => {
  const portrait = await sharp(photo('astronaut.jpg')).blur(1.2).png().toBuffer()
  const run = async (faces: number) => {
    const params = { scale: 1, denoise: 0, sharpness: 0.6, faces, light: 0, colour: 0, format: 'png' }
    const { outputs } = await runTool(toolPool, 'enhancement', { params, inputs: { picture: [portrait] } })
    return sharp(outputs[0]!.bytes).greyscale().raw().toBuffer()
  }
  const [plain, aware] = await Promise.all([run(0), run(1)])
  /** Mean change from pixel to pixel. */
  const detail = (pixels: Buffer, left: number, top: number, width: number, height: number) => {
    let sum = 0
    for (let y = top; y < top + height; y++) {
      for (let x = left; x < left + width; x++) sum += Math.abs(pixels[y * 512 + x]! - pixels[y * 512 + x + 1]!)
    }
    return sum / (width * height)
  }
  expect(detail(aware, 194, 96, 20, 10)).toBeGreaterThan(detail(plain, 194, 96, 20, 10))
  expect(detail(aware, 205, 110, 12, 20)).toBeLessThan(detail(plain, 205, 110, 12, 20))
  expect(detail(aware, 20, 20, 80, 80)).toBe(detail(plain, 20, 20, 80, 80))
})

test.each(soak ? ['astronaut.jpg', 'coffee.jpg', 'seeding.jpg'] : ['coffee.jpg'])(
  'a blurred %s is refused before the charge, a sharp one and one with noise are not',
  async (name) => {
    const problemsOf = async (picture: Uint8Array, params: object = {}) =>
      (await checkWithTool(toolPool, 'enhancement', { params, inputs: { picture: [picture] } })).problems
    const blurred = await sharp(photo(name)).blur(9).png().toBuffer()
    expect(await problemsOf(blurred)).toEqual([{ path: 'picture', code: 'engine.too_blurred' }])
    expect(await problemsOf(blurred, { invent: true })).toEqual([])
    expect(await problemsOf(photo(name))).toEqual([])
    const { data, info } = await sharp(blurred).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    // A fixed pattern of strong grain.
    const grain = data.map((value, i) => Math.min(255, Math.max(0, value + (((i * 7919) % 61) - 30))))
    const { width, height } = info
    const noisy = await sharp(grain, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer()
    expect(await problemsOf(noisy)).toEqual([])
  },
)

const softFaces: [name: string, strong: number, slight: number][] = [['grace_hopper.jpg', 3.4, 1.2]]
if (soak) softFaces.push(['astronaut.jpg', 2.4, 1])
test.each(softFaces)(
  'the face of %s too blurred to gain from sharpening is refused, and slightly soft is not',
  async (name, strong, slight) => {
    const problemsOf = async (sigma: number) => {
      const picture = await sharp(photo(name)).blur(sigma).png().toBuffer()
      return (await checkWithTool(toolPool, 'enhancement', { inputs: { picture: [picture] } })).problems
    }
    expect(await problemsOf(strong)).toEqual([{ path: 'picture', code: 'engine.too_blurred' }])
    expect(await problemsOf(slight)).toEqual([])
  },
)

test('a face enlarged from few pixels, which sharpening leaves as it is, is refused', async () => {
  const { width, height } = await sharp(photo('grace_hopper.jpg')).metadata()
  const few = await sharp(photo('grace_hopper.jpg'))
    .resize(Math.round(width / 6))
    .png()
    .toBuffer()
  const picture = await sharp(few).resize(width, height).png().toBuffer()
  const { problems } = await checkWithTool(toolPool, 'enhancement', { inputs: { picture: [picture] } })
  expect(problems).toEqual([{ path: 'picture', code: 'engine.too_blurred' }])
})

test('small, even and drawn pictures are not taken for blurred ones', async () => {
  const even = { create: { width: 300, height: 200, channels: 3, background: '#c04020' } } as const
  const dot = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  for (const picture of [
    await sharp(even).png().toBuffer(),
    await sharp(even)
      .composite([{ input: dot, left: 90, top: 90 }])
      .png()
      .toBuffer(),
    ...(await Promise.all(['brick.jpg', 'chelsea.jpg', 'grace_hopper.jpg'].map((name) => photo(name)))),
  ]) {
    const { problems } = await checkWithTool(toolPool, 'enhancement', { inputs: { picture: [picture] } })
    expect(problems).toEqual([])
  }
})
