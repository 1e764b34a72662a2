import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import type { Box } from '#shared/media.ts'
import { photo } from '#tests/support/composites.ts'
import { pngOf } from '#tests/support/png.ts'
import { cachePicture, decodeLayer, decodePicture, encodeLayer, encodePicture, resizePicture } from './codecs.ts'

const plain = (width: number, height: number, background = '#3080c0') =>
  sharp({ create: { width, height, channels: 3, background } })

/** As stored by phones: HEVC with the colour profile Display P3. */
const heic = readFileSync(new URL('./fixtures/cup.heic', import.meta.url))

describe('decoding an upload', () => {
  test.each([
    ['an empty file', Buffer.alloc(0), 'upload.empty'],
    ['garbage', Buffer.from('this is not a picture, whatever its name says'), 'upload.not_image'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>'), 'upload.not_image'],
    ['only the start of a PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'upload.unreadable'],
    ['a PNG header that claims the largest size', pngHeader(0x7fffffff, 0x7fffffff), 'upload.unreadable'],
  ])('refuses %s', async (_, bytes, code) => {
    await expect(decodePicture(bytes)).rejects.toMatchObject({ code })
  })

  test.each(['jpeg', 'png', 'webp'] as const)('refuses a truncated %s', async (format) => {
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
    const bytes = await noise.toFormat(format).toBuffer()
    await expect(decodePicture(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({
      code: 'upload.unreadable',
    })
  })

  test('refuses a small file that would decompress to a huge picture', async () => {
    const side = 14_000
    // A bit for each pixel, and a byte in front of each line.
    const lines = deflateSync(Buffer.alloc(side * (side / 8 + 1)))
    const bomb = pngOf({ width: side, height: side, depth: 1, colour: 0 }, lines)
    expect(await sharp(bomb, { limitInputPixels: false }).metadata()).toMatchObject({ width: side, format: 'png' })
    expect(bomb.length).toBeLessThan(2_000_000)
    await expect(decodePicture(bomb)).rejects.toMatchObject({ code: 'upload.too_many_pixels' })
  })

  test.each(['png', 'jpeg', 'webp', 'avif'] as const)('refuses more pixels than announced: %s', async (format) => {
    const bytes = await plain(80, 60).toFormat(format).toBuffer()
    for (const honest of [
      { width: 80, height: 60 },
      { width: 60, height: 80 },
      { width: 800, height: 600 },
    ]) {
      expect(await decodePicture(bytes, honest)).toMatchObject({ width: 80, height: 60 })
    }
    await expect(decodePicture(bytes, { width: 79, height: 60 })).rejects.toMatchObject({ code: 'upload.unreadable' })
  })

  test('refuses an AVIF with a stream larger than its header before allocating memory', async () => {
    const bytes = await plain(4000, 3000).avif({ effort: 0 }).toBuffer()
    const at = bytes.indexOf('ispe') + 8
    bytes.writeUInt32BE(40, at)
    bytes.writeUInt32BE(30, at + 4)
    await expect(decodePicture(bytes)).rejects.toMatchObject({ code: 'upload.too_many_pixels' })
  })

  test('limits memory for an iCCP and a zTXt that decompress to 200 MB', async () => {
    const small = await plain(80, 60).png().toBuffer()
    const body = Buffer.concat([Buffer.from('a\0\0', 'latin1'), deflateSync(Buffer.alloc(200_000_000))])
    for (const name of ['iCCP', 'zTXt']) {
      const bomb = Buffer.concat([small.subarray(0, 33), chunk(name, body), small.subarray(33)])
      const before = process.memoryUsage.rss()
      expect(await decodePicture(bomb), name).toMatchObject({ width: 80, height: 60 })
      expect(process.memoryUsage.rss() - before, name).toBeLessThan(150_000_000)
    }
  })

  test('refuses an animation, a GIF and a picture of a few pixels', async () => {
    const frames = await sharp(Buffer.concat([Buffer.alloc(64 * 64 * 3, 20), Buffer.alloc(64 * 64 * 3, 200)]), {
      raw: { width: 64, height: 128, channels: 3, pageHeight: 64 },
    })
      .webp({ loop: 0 })
      .toBuffer()
    await expect(decodePicture(frames)).rejects.toMatchObject({ code: 'upload.animated' })
    await expect(decodePicture(await plain(64, 64).gif().toBuffer())).rejects.toMatchObject({
      code: 'upload.not_image',
    })
    await expect(decodePicture(await plain(8, 300).png().toBuffer())).rejects.toMatchObject({
      code: 'upload.too_small',
    })
  })

  test('converts every kind of picture to upright sRGB of 8 bits with alpha', async () => {
    const sources = {
      jpeg: await plain(40, 30).jpeg().toBuffer(),
      cmyk: await plain(40, 30).toColourspace('cmyk').jpeg().toBuffer(),
      grey: await plain(40, 30).greyscale().png().toBuffer(),
      deep: await plain(40, 30).toColourspace('rgb16').png().toBuffer(),
      palette: await plain(40, 30).png({ palette: true }).toBuffer(),
      avif: await plain(40, 30).avif().toBuffer(),
      profile: await plain(40, 30).withIccProfile('p3').png().toBuffer(),
    }
    for (const [kind, bytes] of Object.entries(sources)) {
      const { width, height, data } = await decodePicture(bytes)
      expect([kind, width, height, data.length]).toEqual([kind, 40, 30, 4800])
      expect([kind, data[3]]).toEqual([kind, 255])
      const spread = Math.max(data[0]!, data[1]!, data[2]!) - Math.min(data[0]!, data[1]!, data[2]!)
      expect([kind, kind === 'grey' ? spread === 0 : spread > 60]).toEqual([kind, true])
    }
  })

  describe('of colours named by numbers instead of a profile shows them as Chromium does', () => {
    const samples = [
      [148, 148, 148],
      [220, 220, 220],
      [200, 100, 50],
      [160, 120, 100],
    ]
    const row = samples.flatMap((sample) => Array(8).fill(sample).flat())
    const raw = Buffer.from(Array(32).fill(row).flat())
    const flat = () => sharp(raw, { raw: { width: 32, height: 32, channels: 3 } })
    const png = async (primaries: number, transfer: number) => {
      const bytes = await flat().png().toBuffer()
      const named = chunk('cICP', Buffer.from([primaries, transfer, 0, 1]))
      return Buffer.concat([bytes.subarray(0, 33), named, bytes.subarray(33)])
    }
    const avif = async (primaries: number, transfer: number) => {
      const bytes = await flat().avif({ lossless: true, chromaSubsampling: '4:4:4', effort: 0 }).toBuffer()
      const at = bytes.indexOf('colrnclx')
      bytes.writeUInt16BE(primaries, at + 8)
      bytes.writeUInt16BE(transfer, at + 10)
      return bytes
    }
    /** In 1/100,000; x and y of white, red, green and blue. */
    const chromaticities = {
      none: [],
      adobeRgb: [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6000],
      impossible: Array<number>(8).fill(0),
    }
    const measured = async (gamma: number, name: keyof typeof chromaticities) => {
      const words = (values: number[]) => {
        const data = Buffer.alloc(4 * values.length)
        values.forEach((value, at) => void data.writeUInt32BE(value, 4 * at))
        return data
      }
      const parts = [chunk('gAMA', words([gamma]))]
      if (name !== 'none') parts.push(chunk('cHRM', words(chromaticities[name])))
      const bytes = await flat().png().toBuffer()
      return Buffer.concat([bytes.subarray(0, 33), ...parts, bytes.subarray(33)])
    }
    const plainColours = samples.flat()
    const pq = [187, 187, 187, 255, 255, 255, 255, 0, 0, 255, 80, 59]
    const hlg = [120, 120, 120, 224, 224, 224, 230, 48, 17, 148, 89, 76]
    const p3Pq = [187, 187, 187, 255, 255, 255, 255, 0, 0, 240, 103, 63]
    const p3Hlg = [120, 120, 120, 224, 224, 224, 202, 71, 18, 136, 92, 76]
    const wide = [148, 148, 148, 220, 220, 220, 241, 76, 29, 181, 114, 96]

    // Read from a canvas of Chromium 156.
    test.each([
      ['a PNG in sRGB', png, 1, 13, plainColours],
      ['a PNG of an unknown kind', png, 3, 200, plainColours],
      ['a PNG in Display P3', png, 12, 13, [148, 148, 148, 220, 220, 220, 215, 93, 31, 167, 118, 97]],
      ['a PNG in Rec. 2020', png, 9, 13, wide],
      ['a PNG of video', png, 9, 1, [142, 142, 142, 218, 218, 218, 239, 63, 5, 177, 106, 87]],
      ['a PNG in linear light', png, 1, 8, [200, 200, 200, 239, 239, 239, 229, 168, 122, 208, 183, 168]],
      ['a PNG in PQ', png, 9, 16, pq],
      ['a PNG in HLG', png, 9, 18, hlg],
      ['a PNG in PQ and Display P3', png, 12, 16, p3Pq],
      ['a PNG in HLG and Display P3', png, 12, 18, p3Hlg],
      ['a PNG in PQ and sRGB', png, 1, 16, [187, 187, 187, 255, 255, 255, 255, 51, 8, 227, 114, 76]],
      ['an AVIF in sRGB', avif, 1, 13, plainColours],
      ['an AVIF without a kind', avif, 2, 2, plainColours],
      ['an AVIF in Rec. 2020', avif, 9, 1, wide],
      ['an AVIF in PQ', avif, 9, 16, pq],
      ['an AVIF in HLG', avif, 9, 18, hlg],
      ['an AVIF in PQ and Display P3', avif, 12, 16, p3Pq],
      ['a PNG of 2.2', measured, 45_455, 'none', plainColours],
      [
        'a PNG of linear light',
        measured,
        100_000,
        'none',
        [200, 200, 200, 239, 239, 239, 229, 168, 122, 208, 183, 168],
      ],
      ['a PNG of 1.8', measured, 55_555, 'none', [165, 165, 165, 227, 227, 227, 210, 119, 65, 176, 139, 119]],
      ['a PNG of Adobe RGB', measured, 45_455, 'adobeRgb', [149, 149, 149, 221, 221, 221, 227, 100, 42, 174, 121, 99]],
      ['a PNG of impossible colours', measured, 45_455, 'impossible', plainColours],
    ] as [string, (first: number, second: never) => Promise<Buffer>, number, number | string, number[]][])(
      '%s',
      async (_, file, first, second, expected) => {
        const { data } = await decodePicture(await file(first, second as never))
        const found = samples.flatMap((_sample, index) => {
          const at = (4 * 32 + index * 8 + 4) * 4
          return [...data.subarray(at, at + 3)]
        })
        expect(Math.max(...expected.map((value, c) => Math.abs(value - found[c]!))), `${found}`).toBeLessThanOrEqual(2)
      },
    )
  })

  test('shows CMYK without a profile as Chromium does, and the profile of 16 bits', async () => {
    const inks = await plain(40, 30, '#f08040').toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer()
    const [c, m, y, k] = await sharp(inks).pipelineColourspace('cmyk').toColourspace('cmyk').raw().toBuffer()
    const shown = [c, m, y].map((ink) => ((255 - ink!) * (255 - k!)) / 255)
    const deep = await plain(40, 30, '#f08040').toColourspace('rgb16').withIccProfile('p3').png().toBuffer()
    for (const [bytes, expected] of [
      [inks, shown],
      [deep, [240, 128, 64]],
    ] as const) {
      const { data } = await decodePicture(bytes)
      expect(Math.max(...expected.map((value, at) => Math.abs(value - data[at]!)))).toBeLessThanOrEqual(2)
    }
  })

  test('turns a picture upright', async () => {
    const bytes = await plain(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await decodePicture(bytes)).toMatchObject({ width: 30, height: 40 })
  })

  test('decodes HEIC pictures of phones to sRGB', async () => {
    const { width, height, data } = await decodePicture(heic)
    expect([width, height]).toEqual([180, 120])
    const truth = await sharp(photo('coffee.jpg')).resize(180, 120).ensureAlpha().raw().toBuffer()
    expect(meanDifference(data, truth)).toBeLessThan(4)
  })

  test('decodes HEIC pictures that name their colours by numbers', async () => {
    const named = (primaries: number, transfer: number) => {
      const bytes = Buffer.from(heic)
      // In place of the profile, whose bytes follow as padding.
      const at = bytes.indexOf('colrprof')
      bytes.write('nclx', at + 4, 'latin1')
      bytes.writeUInt16BE(primaries, at + 8)
      bytes.writeUInt16BE(transfer, at + 10)
      bytes.writeUInt16BE(6, at + 12)
      bytes[at + 14] = 0x80
      return decodePicture(bytes)
    }
    const { data: shown } = await decodePicture(heic)
    const { data: displayP3 } = await named(12, 13)
    const { data: srgb } = await named(1, 13)
    const { data: bright } = await named(9, 16)
    expect(meanDifference(displayP3, shown)).toBeLessThan(1)
    expect(meanDifference(srgb, shown)).toBeGreaterThan(1)
    expect(meanDifference(bright, shown)).toBeGreaterThan(10)
  })

  test('refuses a truncated HEIC picture', async () => {
    for (const length of [40, 600, 3000]) {
      await expect(decodePicture(heic.subarray(0, length))).rejects.toMatchObject({ code: 'upload.unreadable' })
    }
  })
})

async function bytesOf(picture: Picture, part: Box): Promise<Buffer> {
  return Buffer.from((await resizePicture(picture, 120, 90, part)).data)
}

describe('resizing', () => {
  test('pictures resized at the same time keep their own colours', async () => {
    const pictures = await Promise.all(
      ['#ff0000', '#00ff00', '#0000ff', '#ffffff'].map(async (colour) =>
        decodePicture(await plain(300, 200, colour).png().toBuffer()),
      ),
    )
    for (let round = 0; round < 3; round++) {
      const resized = await Promise.all(pictures.map((picture) => resizePicture(picture, 30, 20)))
      expect(resized.map(({ data }) => data.subarray(0, 4))).toEqual(pictures.map(({ data }) => data.subarray(0, 4)))
    }
  })

  test('an opaque picture gives the same result as with its alpha resampled', async () => {
    const picture = await decodePicture(photo('coffee.jpg'))
    for (const [width, height] of [
      [256, 171],
      [513, 300],
      [700, 500],
    ] as const) {
      const raw = { width: picture.width, height: picture.height, channels: 4 } as const
      const whole = await sharp(picture.data, { raw }).resize(width, height, { fit: 'fill' }).raw().toBuffer()
      // A copy, which is not registered as decoded from a JPEG.
      const resized = await resizePicture({ ...picture, data: picture.data.slice() }, width, height)
      expect(Buffer.compare(Buffer.from(resized.data), whole)).toBe(0)
    }
  })

  test('a part of a picture, cached or not, gives the same result as cropping first', async () => {
    const picture = await decodePicture(photo('coffee.jpg'))
    const part = { x: 31, y: 17, width: 301, height: 222 }
    const expected = await resizePicture(cropPicture(picture, part), 120, 90)
    const copy = { ...picture, data: picture.data.slice() }
    for (const source of [picture, copy, cachePicture(copy)]) {
      expect(Buffer.compare(await bytesOf(source, part), Buffer.from(expected.data))).toBe(0)
    }
  })

  test('a JPEG reduced during decoding looks like the reduced picture, even with an EXIF rotation', async () => {
    const upright = await sharp(photo('coffee.jpg')).resize(1500, 1000).png().toBuffer()
    const bytes = await sharp(upright).rotate(90).withMetadata({ orientation: 8 }).jpeg({ quality: 95 }).toBuffer()
    const picture = await decodePicture(bytes)
    expect([picture.width, picture.height]).toEqual([1500, 1000])
    const fast = await resizePicture(picture, 300, 200)
    const slow = await resizePicture({ ...picture, data: picture.data.slice() }, 300, 200)
    expect(meanDifference(fast.data, slow.data)).toBeLessThan(1.5)
  })
})

describe('encoding', () => {
  const picture = { width: 20, height: 10, data: new Uint8ClampedArray(800).map((_, i) => (i * 37) % 256) }

  test('a PNG keeps every pixel', async () => {
    const raw = await sharp(await encodePicture(picture, 'png'))
      .raw()
      .toBuffer()
    expect([...raw]).toEqual([...picture.data])
  })

  test('a PNG of many mostly transparent rows keeps every pixel', async () => {
    const large = { width: 900, height: 1300, data: new Uint8ClampedArray(4 * 900 * 1300) }
    for (let i = 4 * 900 * 400; i < 4 * 900 * 1200; i++) large.data[i] = (i * i * 37) >>> 7
    const raw = await sharp(await encodePicture(large, 'png'))
      .raw()
      .toBuffer()
    expect(Buffer.compare(raw, Buffer.from(large.data))).toBe(0)
  })

  test('a layer keeps its kind and values', async () => {
    const plane = { width: 4, height: 2, data: Float32Array.from([0, 1, 0.2, 0.4, 0.6, 0.8, 1, 0]) }
    const layer = await decodeLayer(await encodeLayer(plane))
    expect(layer.data).toBeInstanceOf(Float32Array)
    expect([...layer.data].map((value) => value.toFixed(4))).toEqual([...plane.data].map((value) => value.toFixed(4)))
  })

  test('a JPEG has white where the picture is transparent', async () => {
    const clear = { width: 16, height: 16, data: new Uint8ClampedArray(1024) }
    const raw = await sharp(await encodePicture(clear, 'jpeg'))
      .raw()
      .toBuffer()
    expect(Math.min(...raw)).toBeGreaterThan(250)
  })
})

function meanDifference(a: Uint8Array | Uint8ClampedArray, b: Uint8Array | Uint8ClampedArray): number {
  if (a.length !== b.length) throw new Error('the sizes differ')
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number))
  return sum / a.length
}

function chunk(name: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000080200000000000000', 'hex')
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}
