import { afterEach, expect, test, vi } from 'vitest'
import { type ChosenPicture, devicePreviewSide, previewSize, sendLimits, sendSize } from './picture.ts'
import { choosePicture, pictureToSend, sniffPicture } from './studio/read-files.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test('pictures are recognized by their first bytes, whatever they are called', () => {
  expect(sniffPicture(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg')
  expect(sniffPicture(bytes('\x89PNG\r\n\x1a\n'))).toBe('image/png')
  expect(sniffPicture(bytes('RIFF\x10\0\0\0WEBPVP8 '))).toBe('image/webp')
  expect(sniffPicture(bytes('\0\0\0\x18ftypheic'))).toBe('image/heic')
  expect(sniffPicture(bytes('\0\0\0\x18ftypavif'))).toBe('image/avif')
  expect(sniffPicture(bytes('\0\0\0\x1cftypmif1\0\0\0\0mif1avif'))).toBe('image/avif')
  expect(sniffPicture(bytes('\0\0\0\x1cftypmif1\0\0\0\0mif1heic'))).toBe('image/heic')
})

test.each([
  [4000, 3000, 640],
  [1000, 700, 500],
  [301, 90, 150],
])('a picture of %d × %d has a preview of at most half its side on the device', (width, height, side) => {
  const found = devicePreviewSide({ width, height })
  expect(found).toBe(side)
  const small = previewSize({ width, height }, found)
  expect(Math.max(small.width, small.height)).toBeLessThanOrEqual(Math.max(width, height) / 2)
})

test('drawings, animations, films and texts are not pictures', () => {
  for (const head of [
    '<svg xmlns=',
    '<?xml versi',
    'GIF89a......',
    '\0\0\0\x18ftypisom',
    '%PDF-1.7',
    '',
    'RIFF....AVI ',
  ]) {
    expect(sniffPicture(bytes(head))).toBeNull()
  }
})

test.each([
  [4032, 3024],
  [4080, 3060],
  [4096, 3072],
  [4640, 3472],
  [5184, 3888],
  [5712, 4284],
  [3024, 5376],
])('a usual photo of a phone is sent untouched: %d × %d', async (width, height) => {
  const original = new Blob(['jpeg'], { type: 'image/jpeg' })
  const picture = { id: 'a', name: 'a.jpg', original, size: { width, height } }
  expect(await pictureToSend(picture, true)).toEqual({ blob: original, name: 'a.jpg', size: { width, height } })
})

test.each([
  [8064, 6048],
  [8000, 6000],
  [8160, 6144],
  [9248, 6936],
])('a photo of a mode for large prints is reduced, which is told: %d × %d', (width, height) => {
  expect(sendSize({ width, height }).width).toBeLessThan(width)
})

test('a picture within the limits keeps its size', () => {
  expect(sendSize({ width: 4000, height: 3000 })).toEqual({ width: 4000, height: 3000 })
  expect(sendSize({ width: 1, height: 4096 })).toEqual({ width: 1, height: 4096 })
})

test('a large picture shrinks under both limits in its proportions', () => {
  for (const size of [
    { width: 8000, height: 6000 },
    { width: 3000, height: 9000 },
    { width: 5000, height: 5000 },
    { width: 12_000, height: 3 },
  ]) {
    const sent = sendSize(size)
    expect(Math.max(sent.width, sent.height)).toBeLessThanOrEqual(sendLimits.longSide)
    expect(sent.width * sent.height).toBeLessThanOrEqual(sendLimits.pixels)
    expect(sent.height).toBeGreaterThanOrEqual(1)
    if (Math.min(sent.width, sent.height) > 100) {
      expect(sent.width / sent.height).toBeCloseTo(size.width / size.height, 2)
    }
  }
})

afterEach(() => vi.unstubAllGlobals())

const heic = new Blob([bytes('\0\0\0\x18ftypheic\0\0\0\0')])

test('a HEIC photo that the device cannot open goes to the server as it is', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.reject(new DOMException('', 'InvalidStateError')))
  const chosen = (await choosePicture(heic)) as ChosenPicture
  expect(chosen).toMatchObject({ name: 'foto.heic', size: null })
  expect((await pictureToSend(chosen, true)).blob).toBe(chosen.original)
})
