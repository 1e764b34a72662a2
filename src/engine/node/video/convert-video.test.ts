import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClipOptions, makeClip } from '#tests/support/clips.ts'
import { readClip } from '#tests/support/read-clip.ts'
import { joinedVideo, relabelledVideo } from '#tests/support/relabelled-video.ts'
import type { VideoConversion } from '../../host.ts'
import { convertVideo } from './convert-video.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function convert(options: ClipOptions, onFrame = () => {}, stop = new AbortController()) {
  const { bytes } = await makeClip(options)
  return convertFile(bytes, { onFrame }, stop)
}

function convertFile(bytes: Uint8Array, given: Partial<VideoConversion>, stop = new AbortController()) {
  const path = join(folder, randomUUID())
  writeFileSync(path, bytes)
  const file = { path, contentType: 'video/mp4', width: 96, height: 96, seconds: 1 }
  const conversion = { format: 'webm', masks: { subject: 'person' }, backdrop: 'none', onFrame() {} } as const
  return convertVideo(file, { ...conversion, ...given }, { signal: stop.signal, watermarkKey: new Uint8Array(32) })
}

/** Decodes for comparison, because the file also contains its creation time. */
async function picturesOf(file: Uint8Array): Promise<Buffer> {
  const pictures: Uint8Array[] = []
  for await (const picture of (await readClip(file)).frames()) pictures.push(picture)
  return Buffer.concat(pictures)
}

test('masks do not depend on earlier or concurrent videos', { tags: 'soak' }, async () => {
  const wide = { width: 256, height: 144, seconds: 0.2, frameRate: 20, sounds: 0 }
  const alone = await convert(wide)
  const { maxSubjectShare } = await convert({ ...wide, width: 144 })
  expect(maxSubjectShare).toBeGreaterThan(1.3 * alone.maxSubjectShare)
  const expected = await picturesOf(alone.masks!.file)
  for (const found of await Promise.all([1, 2, 3].map(() => convert(wide)))) {
    expect(found.maxSubjectShare).toBe(alone.maxSubjectShare)
    expect((await picturesOf(found.masks!.file)).equals(expected)).toBe(true)
  }
})

test('an aborted conversion makes at most one more frame', async () => {
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

const still = { width: 96, height: 96, seconds: 0.2, frameRate: 10, sounds: 0, empty: true } as const
const large = { ...still, width: 2304, height: 1296 } as const

test.each(['mp4', 'webm'] as const)(
  'an %s with a stream larger than its container says is rejected before decoding',
  async (format) => {
    const { bytes } = await makeClip({ ...large, format })
    let decoded = 0
    const onFrame = () => {
      decoded += 1
    }
    const hidden = relabelledVideo(bytes, { width: 640, height: 360 })
    await expect(convertFile(hidden, { onFrame })).rejects.toMatchObject({ code: 'upload.video_too_large' })
    expect(decoded).toBe(0)
  },
)

test('a video whose frames change their size is rejected', async () => {
  const webm = async (options: ClipOptions) => (await makeClip({ ...options, format: 'webm' })).bytes
  const [small, other, huge] = await Promise.all([webm(still), webm({ ...still, width: 128 }), webm(large)])
  await expect(convertFile(await joinedVideo([small, other]), {})).rejects.toMatchObject({
    code: 'upload.video_unreadable',
  })
  await expect(convertFile(await joinedVideo([small, huge]), {})).rejects.toMatchObject({
    code: 'upload.video_too_large',
  })
})

test('the first seconds of a video have a limited number of frames', async () => {
  const times = [...Array.from({ length: 30 }, (_, i) => i / 1000), 1]
  const { bytes } = await makeClip({ ...still, seconds: 1, frameRate: 1000, times })
  const { frames } = await convertFile(bytes, { until: 0.2 })
  expect(frames).toBe(13)
})

test('a scene change among frames that are stored out of order is converted', async () => {
  const bytes = readFileSync(new URL('../fixtures/reordered-frames.mp4', import.meta.url))
  const { file, frames } = await convertFile(bytes, { format: 'mp4', backdrop: 'blurred' })
  expect(frames).toBe(48)
  expect((await picturesOf(file)).length).toBe(48 * 96 * 96 * 1.5)
})
