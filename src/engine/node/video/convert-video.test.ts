import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClipOptions, makeClip } from '#tests/support/clips.ts'
import { readClip } from '#tests/support/read-clip.ts'
import { convertVideo } from './convert-video.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Converts a clip to one without its background. */
async function convert(options: ClipOptions, onFrame = () => {}, stop = new AbortController()) {
  const { bytes, width, height } = await makeClip(options)
  const path = join(folder, 'clip.mp4')
  writeFileSync(path, bytes)
  const file = { path, contentType: 'video/mp4', width, height, seconds: options.seconds }
  const conversion = { format: 'webm', masks: { subject: 'person' }, backdrop: 'none', onFrame } as const
  return convertVideo(file, conversion, stop.signal)
}

/** The pictures of a video: its file also says when it was made. */
async function picturesOf(file: Uint8Array): Promise<Buffer> {
  const pictures: Uint8Array[] = []
  for await (const picture of (await readClip(file)).frames()) pictures.push(picture)
  return Buffer.concat(pictures)
}

test('what is found in a video does not depend on the one before it', async () => {
  const wide = { width: 256, height: 144, seconds: 0.2, frameRate: 20, sounds: 0 }
  const alone = await convert(wide)
  const { largest } = await convert({ ...wide, width: 144 })
  expect(largest).toBeGreaterThan(1.3 * alone.largest)
  const after = await convert(wide)
  expect(after.largest).toBe(alone.largest)
  const [found, expected] = await Promise.all([after, alone].map(({ masks }) => picturesOf(masks!.file)))
  expect(found!.equals(expected!)).toBe(true)
})

test('a conversion that is stopped makes at most the frame that was on its way', async () => {
  const stop = new AbortController()
  let frames = 0
  const count = () => {
    frames++
    if (frames === 5) stop.abort(new Error('stopped'))
  }
  const converting = convert({ width: 256, height: 144, seconds: 1, frameRate: 20, sounds: 1 }, count, stop)
  await expect(converting).rejects.toThrow('stopped')
  expect(frames).toBeGreaterThanOrEqual(5)
  expect(frames).toBeLessThanOrEqual(6)
})
