import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { hideCaptureMetadata } from './hide-capture-metadata.ts'

const exif = {
  IFD0: { Make: 'Kamera Rahasia', Model: 'Rahasia 9', DateTime: '2026:11:20 08:00:00' },
  IFD2: { DateTimeOriginal: '2026:11:20 08:00:00', LensModel: 'Rahasia 35mm' },
}

async function sent(file: Buffer, contentType: string): Promise<Buffer> {
  const stream = async (
    _: string,
    { start, end }: { start: number; end: number } = { start: 0, end: file.length - 1 },
  ) => ({
    body: new Blob([new Uint8Array(file.subarray(start, end + 1))]).stream(),
    bytes: file.length,
  })
  const patches = await hideCaptureMetadata({ stream }, { storageKey: 'x', contentType, bytes: file.length })
  const out = Buffer.from(file)
  for (const { at, bytes } of patches) out.set(bytes, at)
  return out
}

describe.each(['jpeg', 'png', 'webp'] as const)('a photograph as %s', (format) => {
  test('is shown upright, without camera data and time', async () => {
    const noise = sharp({
      create: {
        width: 360,
        height: 240,
        channels: 3,
        background: '#345',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
    const file = await noise
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .toFormat(format, { quality: 100 })
      .toBuffer()
    expect(file.length).toBeGreaterThan(66_000)
    expect(file.includes('Rahasia')).toBe(true)
    const shown = await sent(file, `image/${format}`)
    expect(shown.length).toBe(file.length)
    for (const word of ['Rahasia', '2026:11']) expect(shown.includes(word)).toBe(false)
    expect((await sharp(shown).metadata()).orientation).toBe(6)
    expect(await sharp(shown).raw().toBuffer()).toEqual(await sharp(file).raw().toBuffer())
  })
})
