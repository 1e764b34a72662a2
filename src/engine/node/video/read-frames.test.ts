import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readVideoInfo } from '#engine/video/video-info.ts'
import { videoInMemory } from '#tests/support/video-in-memory.ts'
import { openVideo } from './open-video.ts'
import { readFrames } from './read-frames.ts'

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

const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length
