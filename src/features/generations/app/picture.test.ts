import { expect, test } from 'vitest'
import { sendLimits, sendSize, sniffPicture } from './picture.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test('pictures are told by their first bytes, whatever they are called', () => {
  expect(sniffPicture(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg')
  expect(sniffPicture(bytes('\x89PNG\r\n\x1a\n'))).toBe('image/png')
  expect(sniffPicture(bytes('RIFF\x10\0\0\0WEBPVP8 '))).toBe('image/webp')
  expect(sniffPicture(bytes('\0\0\0\x18ftypheic'))).toBe('image/heic')
  expect(sniffPicture(bytes('\0\0\0\x18ftypavif'))).toBe('image/avif')
})

test('drawings, animations, films and texts are no pictures', () => {
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
