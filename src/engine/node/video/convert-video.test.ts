import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '#tests/support/clips.ts'
import { convertVideo } from './convert-video.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a conversion that is stopped makes at most the frame that was on its way', async () => {
  const clip = await makeClip({ width: 256, height: 144, seconds: 3, frameRate: 20, sounds: 1 })
  const path = join(folder, 'clip.mp4')
  writeFileSync(path, clip.bytes)
  const stop = new AbortController()
  const file = { path, contentType: 'video/mp4', width: clip.width, height: clip.height, seconds: 3 }
  let frames = 0
  const converting = convertVideo(
    file,
    {
      format: 'webm',
      masks: { subject: 'person' },
      backdrop: 'none',
      onFrame() {
        frames++
        if (frames === 5) stop.abort(new Error('stopped'))
      },
    },
    stop.signal,
  )
  await expect(converting).rejects.toThrow('stopped')
  expect(frames).toBeGreaterThanOrEqual(5)
  expect(frames).toBeLessThanOrEqual(6)
})
