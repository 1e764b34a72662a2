import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Frame } from '#engine/video/frame.ts'
import { readVideoInfo } from '#engine/video/video-info.ts'
import { makeClip } from '#tests/support/clips.ts'
import { videoInMemory } from '#tests/support/video-in-memory.ts'
import { openVideo } from './open-video.ts'
import { readFrames, type TimedFrame } from './read-frames.ts'

test('a ten-bit HDR video is decoded to eight bits for standard screens', async () => {
  // As phones record it: black left, diffuse white (203 cd/m² in PQ) right.
  const file = new Uint8Array(readFileSync(new URL('../fixtures/ten-bits.mp4', import.meta.url)))
  const video = await openVideo({ file, contentType: 'video/mp4' })
  expect(video.hdr).toBe('pq')
  let frames = 0
  for await (const { frame } of readFrames(video, { signal: new AbortController().signal })) {
    const at = (x: number) => frame.y[10 * frame.width + x] as number
    expect(Math.abs(at(10) - 16)).toBeLessThan(4)
    expect(at(frame.width - 10)).toBeGreaterThan(170)
    expect(at(frame.width - 10)).toBeLessThan(230)
    frames++
  }
  expect(frames).toBe(1)
  video.close()
})

test.each([0, 20])(
  'frames that are stored out of order get their own times, and the %i cut off are hidden',
  async (hidden) => {
    const file = readFileSync(new URL('../fixtures/reordered-frames.mp4', import.meta.url))
    const start = file.indexOf('elst') + 16
    file.writeInt32BE(file.readInt32BE(start) + 1001 * hidden, start)
    expect(await readVideoInfo(videoInMemory(file))).toMatchObject({
      seconds: expect.closeTo(((48 - hidden) * 1001) / 30_000),
    })
    const video = await openVideo({ file, contentType: 'video/mp4' })
    const shown: number[] = []
    let brightness = 0
    for await (const { frame, seconds } of readFrames(video, { signal: new AbortController().signal })) {
      // The fixture grows brighter with every frame.
      expect(mean(frame.y)).toBeGreaterThan(brightness)
      brightness = mean(frame.y)
      shown.push(Math.round((seconds * 30_000) / 1001))
    }
    video.close()
    expect(shown).toEqual(Array.from({ length: 48 - hidden }, (_, i) => i))
  },
)

test.each([
  [4 / 3, 0, { width: 128, height: 96 }],
  [3 / 4, 0, { width: 96, height: 128 }],
  [4 / 3, 90, { width: 96, height: 128 }],
] as const)(
  'pixels of %d by 1, turned by %i, become square, as browsers show them',
  async (pixelAspect, rotation, size) => {
    const still = { width: 96, height: 96, seconds: 0.1, frameRate: 10, sounds: 0, rotation }
    const firstOf = async (clip: Awaited<ReturnType<typeof makeClip>>) => {
      const video = await openVideo({ file: clip.bytes, contentType: 'video/mp4' })
      const { value } = await readFrames(video, { signal: new AbortController().signal }).next()
      video.close()
      return (value as TimedFrame).frame
    }
    const [plain, clip] = [await makeClip(still), await makeClip({ ...still, pixelAspect })]
    expect(await readVideoInfo(videoInMemory(clip.bytes))).toMatchObject(size)
    const [stored, shown] = [await firstOf(plain), await firstOf(clip)]
    expect(shown).toMatchObject(size)
    for (const [x, y] of [
      [0.1, 0.2],
      [0.5, 0.5],
      [0.9, 0.8],
    ] as const) {
      const at = ({ y: luma, width, height }: Frame) =>
        luma[Math.floor(y * height) * width + Math.floor(x * width)] as number
      expect(Math.abs(at(shown) - at(stored))).toBeLessThan(24)
    }
    expect(Math.abs(mean(shown.y) - mean(stored.y))).toBeLessThan(2)
    expect(Math.abs(mean(shown.u) - mean(stored.u))).toBeLessThan(2)
  },
)

const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length
