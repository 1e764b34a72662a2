import { expect, test } from 'vitest'
import { videoLimits } from '#shared/media.ts'
import { makeClip } from '#tests/support/clips.ts'
import { chooseVideo, sniffVideo } from './video.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test('videos are recognized by their first bytes, whatever they are called', () => {
  expect(sniffVideo(bytes('\x1a\x45\xdf\xa3....webm'))).toBe('video/webm')
  expect(sniffVideo(bytes('\0\0\0\x18ftypisom\0\0\0\0'))).toBe('video/mp4')
  expect(sniffVideo(bytes('\0\0\0\x14ftypqt  \0\0\0\0'))).toBe('video/quicktime')
  expect(sniffVideo(bytes('\0\0\0\x08wide\0\0\0\0mdat'))).toBe('video/quicktime')
})

test('pictures, sounds and texts are not videos', () => {
  for (const head of [
    '\0\0\0\x18ftypheic',
    '\0\0\0\x18ftypavif',
    '\0\0\0\x18ftypM4A ',
    '\xff\xd8\xff\xe0',
    'RIFF',
    '',
  ]) {
    expect(sniffVideo(bytes(head))).toBeNull()
  }
})

test('a file that is empty, not a video or larger than the limit is refused on the device', async () => {
  expect(await chooseVideo(new Blob([]))).toBe('empty')
  expect(await chooseVideo(new Blob([bytes('\xff\xd8\xff\xe0')]))).toBe('not_video')
  const large = new Blob([bytes('\x1a\x45\xdf\xa3'), new Uint8Array(videoLimits.bytes)])
  expect(await chooseVideo(large)).toBe('video_too_heavy')
})

test('a video is measured by its container, and one that is cut off is refused', async () => {
  const clip = await makeClip({ width: 160, height: 120, seconds: 1.5, empty: true, sounds: 0 })
  const whole = await chooseVideo(new Blob([clip.bytes]))
  expect(whole).toMatchObject({ name: 'video.mp4', size: { width: 160, height: 120 }, original: { type: 'video/mp4' } })
  expect((whole as { seconds: number }).seconds).toBeCloseTo(1.5, 2)
  expect(await chooseVideo(new Blob([clip.bytes.subarray(0, clip.bytes.length / 2)]))).toBe('video_unreadable')
})
