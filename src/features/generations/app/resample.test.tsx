import { afterEach, expect, it, vi } from 'vitest'
import type { ChosenPicture } from './picture.ts'
import { resampleFaithfully } from './resample.ts'
import { choosePicture, pictureToSend } from './studio/read-files.ts'

afterEach(() => vi.restoreAllMocks())

const size = { width: 300, height: 200 }

/** A scene with edges, tones and, if asked for, transparent parts. */
async function scene(type: string, transparent = false): Promise<Blob> {
  const canvas = new OffscreenCanvas(600, 400)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  if (!transparent) context.fillRect(0, 0, 600, 400)
  for (let i = 0; i < 200; i++) {
    context.fillStyle = `hsl(${i * 47} 80% ${20 + (i % 60)}%)`
    context.beginPath()
    context.arc(150 + ((i * 137) % 350), 100 + ((i * 71) % 200), 15, 0, 7)
    context.fill()
  }
  return canvas.convertToBlob({ type, quality: 0.95 })
}

async function cornerOf(blob: Blob): Promise<number[]> {
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.drawImage(await createImageBitmap(blob), 0, 0)
  return [...context.getImageData(0, 0, 1, 1).data]
}

it.each(['image/jpeg', 'image/png', 'image/webp'])('reduces a faithful copy of an opaque picture: %s', async (type) => {
  const copy = await resampleFaithfully(await scene(type), size)
  const { width, height } = await createImageBitmap(copy)
  expect({ width, height }).toEqual(size)
  expect(copy.type).toBe(type === 'image/png' ? type : 'image/jpeg')
})

it.each(['image/png', 'image/webp'])('keeps transparency: %s', async (type) => {
  const copy = await resampleFaithfully(await scene(type, true), size)
  expect(copy.type).toBe(type)
  expect(await cornerOf(copy)).toEqual([0, 0, 0, 0])
})

/** Changes the pixels that leave a canvas, as privacy browsers do. */
function alter(change: (data: Uint8ClampedArray, width: number) => void): void {
  const { convertToBlob } = OffscreenCanvas.prototype
  vi.spyOn(OffscreenCanvas.prototype, 'convertToBlob').mockImplementation(async function (
    this: OffscreenCanvas,
    options,
  ) {
    const copy = new OffscreenCanvas(this.width, this.height)
    const context = copy.getContext('2d') as OffscreenCanvasRenderingContext2D
    context.drawImage(this, 0, 0)
    const image = context.getImageData(0, 0, this.width, this.height)
    change(image.data, this.width)
    context.putImageData(image, 0, 0)
    return convertToBlob.call(copy, options)
  })
}

const everyFourth = (data: Uint8ClampedArray, of: (at: number) => boolean, by: () => number) => {
  for (let at = 0; at < data.length; at += 4) if (of(at)) data[at] = (data[at] ?? 0) ^ by()
}
const random = () => Math.floor(Math.random() * 256)

it.each([
  [
    'stripes',
    (data: Uint8ClampedArray, width: number) =>
      data.forEach((_, at) => {
        if (Math.floor(at / 4 / width) % 16 < 3) data[at] = at % 4 === 3 ? 255 : 128
      }),
  ],
  [
    'noise',
    (data: Uint8ClampedArray) =>
      data.forEach((_, at) => {
        if (at % 4 < 3) data[at] = random()
      }),
  ],
  [
    'a lowest bit here and there',
    (data: Uint8ClampedArray) =>
      everyFourth(
        data,
        (at) => at % 28 === 0,
        () => 1,
      ),
  ],
  ['a white picture', (data: Uint8ClampedArray) => data.fill(255)],
  [
    'a damaged part',
    (data: Uint8ClampedArray, width: number) => everyFourth(data, (at) => at / 4 / width > 150, random),
  ],
] as [string, (data: Uint8ClampedArray, width: number) => void][])(
  'sends the original where a canvas returns %s',
  async (_, change) => {
    const original = new Blob([await scene('image/jpeg')], { type: 'image/heic' })
    alter(change)
    await expect(resampleFaithfully(original, size)).rejects.toThrow('other pixels')
    const picture = { id: 'a', name: 'a.jpg', original, size: { width: 300, height: 200 } }
    expect((await pictureToSend(picture, true)).blob).toBe(original)
  },
)

it('sends the original where reading pixels returns noise', async () => {
  const { getImageData } = OffscreenCanvasRenderingContext2D.prototype
  vi.spyOn(OffscreenCanvasRenderingContext2D.prototype, 'getImageData').mockImplementation(function (
    this: OffscreenCanvasRenderingContext2D,
    ...area
  ) {
    const image = getImageData.apply(this, area)
    image.data[40] = (image.data[40] ?? 0) ^ 1
    return image
  })
  await expect(resampleFaithfully(await scene('image/jpeg'), size)).rejects.toThrow('other pixels')
})

it('converts a HEIC photo that the device can open', async () => {
  const original = new Blob([await scene('image/jpeg')], { type: 'image/heic' })
  const picture = { id: 'a', name: 'IMG_1.HEIC', original, size: { width: 600, height: 400 } }
  for (const shrink of [true, false]) {
    const sent = await pictureToSend(picture, shrink)
    expect([sent.blob.type, sent.name, sent.size]).toEqual(['image/jpeg', 'IMG_1.jpg', picture.size])
  }
})

it('tells of an animation and of a narrow picture at once', async () => {
  const png = new Blob(['\x89PNG\r\n\x1a\n'.slice(1), 'x'.repeat(30), 'acTL', 'x'.repeat(30), 'IDAT'])
  const animated = [
    new Blob([new Uint8Array([0x89]), png]),
    new Blob(['RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\x02', 'x'.repeat(40)]),
    new Blob(['\0\0\0\x20ftypavis\0\0\0\0avifmif1', 'x'.repeat(40)]),
  ]
  for (const file of animated) expect(await choosePicture(file)).toBe('animated')
  const narrow = new OffscreenCanvas(1000, 33)
  narrow.getContext('2d')
  expect(await choosePicture(await narrow.convertToBlob())).toBe('too_narrow')
})

it('accepts a JPEG without its end marker, and tells that a JPEG is cut off', async () => {
  const whole = await scene('image/jpeg')
  expect(((await choosePicture(whole.slice(0, -2))) as ChosenPicture).size).toEqual({ width: 600, height: 400 })
  expect(await choosePicture(whole.slice(0, whole.size / 2))).toBe('cut_off')
})

it.each(['', 'Exif\0\0'])('turns a WebP by its EXIF, which browsers ignore: prefix "%s"', async (prefix) => {
  const stored = new OffscreenCanvas(80, 40)
  const context = stored.getContext('2d', { alpha: false }) as OffscreenCanvasRenderingContext2D
  context.fillRect(0, 0, 80, 40)
  context.fillStyle = 'red'
  context.fillRect(0, 0, 40, 20)
  const simple = new Uint8Array(await (await stored.convertToBlob({ type: 'image/webp', quality: 0.9 })).arrayBuffer())
  const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  const word = (value: number) => new Uint8Array([value & 255, value >> 8, 0, 0])
  /** The red corner of the upright picture: top left, top right, bottom left, bottom right. */
  const red = async (orientation: number) => {
    const exif = bytes(
      `${prefix}II*\0\b\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0${String.fromCharCode(orientation)}\0\0\0\0\0\0\0`,
    )
    const header = bytes('VP8X\x0a\0\0\0\x08\0\0\0\x4f\0\0\x27\0\0')
    const picture = simple.subarray(String.fromCharCode(...simple).indexOf('VP8 '))
    const body = new Blob([bytes('WEBP'), header, picture, bytes('EXIF'), word(exif.length), exif])
    const chosen = await choosePicture(new Blob([bytes('RIFF'), word(body.size), body]))
    const { original, size } = chosen as ChosenPicture
    const bitmap = await createImageBitmap(original)
    const { width, height } = bitmap
    expect(size).toEqual({ width, height })
    const canvas = new OffscreenCanvas(width, height)
    const read = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
    read.drawImage(bitmap, 0, 0)
    const corners = [0.1, 0.9].flatMap((y) =>
      [0.1, 0.9].map((x) => read.getImageData(x * width, y * height, 1, 1).data),
    )
    return `${width}: ${corners.findIndex(([value = 0]) => value > 128)}`
  }
  const found = []
  for (let orientation = 1; orientation <= 8; orientation++) found.push(await red(orientation))
  expect(found).toEqual(['80: 0', '80: 1', '80: 3', '80: 2', '40: 0', '40: 1', '40: 3', '40: 2'])
})
