import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Picture, PictureEncoding } from '#engine/image/picture.ts'
import { encodeOutput } from './encode-output.ts'

function picture(noisy: boolean, width = 240, height = 320): Picture {
  const data = new Uint8ClampedArray(width * height * 4)
  let seed = 7
  for (let i = 0; i < data.length; i++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    data[i] = i % 4 === 3 ? 255 : noisy ? seed >> 16 : 120
  }
  return { width, height, data }
}

describe('an encoded picture', () => {
  test.each(['jpeg', 'webp', 'png'] as const)(
    'as %s stays below the largest size and is still complete',
    async (format) => {
      const free = await encodeOutput(picture(true), { format, quality: format === 'png' ? undefined : 95 })
      const maxBytes = Math.round(free.length / 2)
      const bytes = await encodeOutput(picture(true), { format, maxBytes })
      expect(bytes.length).toBeLessThanOrEqual(maxBytes)
      expect(bytes.length).toBeGreaterThan(maxBytes / 3)
      expect(await sharp(bytes, { failOn: 'warning' }).metadata()).toMatchObject({ width: 240, height: 320 })
    },
  )

  test.each(['jpeg', 'webp', 'png'] as const)('as %s reaches the smallest size and shows the same', async (format) => {
    const encoding: PictureEncoding = { format, minBytes: 200_000, maxBytes: 210_000 }
    const bytes = await encodeOutput(picture(false), encoding)
    expect(bytes.length).toBeGreaterThanOrEqual(200_000)
    expect(bytes.length).toBeLessThan(200_100)
    const { data, info } = await sharp(bytes, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([240, 320])
    expect(Math.abs((data[0] as number) - 120)).toBeLessThan(3)
  })

  test('that cannot be small enough is rejected', async () => {
    await expect(encodeOutput(picture(true), { format: 'jpeg', maxBytes: 500 })).rejects.toMatchObject({
      code: 'engine.failed',
    })
  })

  test.each(['jpeg', 'png'] as const)('as %s has its dots per inch', async (format) => {
    const bytes = await encodeOutput(picture(false), { format, dpi: 300 })
    expect(await sharp(bytes).metadata()).toMatchObject({ density: 300 })
  })

  test.each(['jpeg', 'webp', 'png'] as const)('as %s can declare editing by AI', async (format) => {
    const bytes = await encodeOutput(picture(false), {
      format,
      dpi: 300,
      metadata: { source: 'compositeWithTrainedAlgorithmicMedia' },
    })
    expect((await sharp(bytes).metadata()).xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
    const plain = await encodeOutput(picture(false), { format })
    expect((await sharp(plain).metadata()).xmp).toBeUndefined()
  })
})
