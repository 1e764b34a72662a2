import { VideoEncoder, VideoFrame } from '@napi-rs/webcodecs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ClipOptions, makeClip } from '#tests/support/clips.ts'
import {
  insertedInMovie,
  isoBox,
  relabelledVideo,
  withList,
  withTracks,
  words,
} from '#tests/support/relabelled-video.ts'
import { videoInMemory } from '#tests/support/video-in-memory.ts'
import { announcedSize, type VideoCodec } from './stream-size.ts'
import { bytesOf, readVideoInfo } from './video-info.ts'

type Bytes = Uint8Array<ArrayBuffer>
const still = { width: 96, height: 96, seconds: 0.4, frameRate: 10, sounds: 0, empty: true } as const
const clip = async (options: Partial<ClipOptions> = {}) => (await makeClip({ ...still, ...options })).bytes
const factsOf = (bytes: Uint8Array) => readVideoInfo(videoInMemory(bytes))

describe('the size of a video', () => {
  const small = { width: 640, height: 360 }

  test.each(['mp4', 'webm'] as const)('in an %s is the stream’s size and not the container’s', async (format) => {
    const large = relabelledVideo(await clip({ width: 2304, height: 1296, seconds: 0.1, format }), small)
    expect(await factsOf(large)).toBe('video_too_large')
    const honest = await clip({ width: 480, height: 320, seconds: 0.2, format })
    expect(await factsOf(relabelledVideo(honest, small))).toMatchObject({ width: 480, height: 320 })
    expect(await factsOf(honest)).toMatchObject({ width: 480, height: 320 })
  })

  test('is the upright frames’ size', async () => {
    const turned = await clip({ width: 320, height: 240, seconds: 0.1, rotation: 90 })
    expect(await factsOf(turned)).toMatchObject({ width: 240, height: 320 })
    expect(await factsOf(relabelledVideo(turned, small))).toMatchObject({ width: 240, height: 320 })
  })

  test.each<[VideoCodec, string]>([
    ['avc', 'avc1.640028'],
    ['hevc', 'hev1.1.6.L120.B0'],
    ['vp8', 'vp8'],
    ['vp9', 'vp09.00.40.08'],
    ['av1', 'av01.0.08M.08'],
  ])('is read from the headers of %s', async (codec, name) => {
    for (const [width, height] of [
      [320, 180],
      // As wide as a real video but flat, because encoding time depends on the number of pixels.
      [1920, 120],
    ] as const) {
      const { description, packets } = await encoded(name, { width, height })
      expect(announcedSize(codec, { description, packet: packets[0] })).toEqual({ width, height })
      expect(announcedSize(codec, { packet: new Uint8Array([1, 2, 3]) })?.width ?? 0).toBe(0)
    }
  })
})

describe('the length of a video', () => {
  const retimed = async (frames: number, rate: number) =>
    factsOf(
      await clip({
        seconds: frames / rate,
        frameRate: rate,
        times: Array.from({ length: frames }, (_, i) => i / rate),
      }),
    )

  test('is its duration at up to thirty frames a second', async () => {
    expect(await retimed(60, 30)).toMatchObject({ seconds: expect.closeTo(2, 1) })
    expect(await retimed(20, 10)).toMatchObject({ seconds: expect.closeTo(2, 1) })
  })

  test('depends on the number of frames above thirty frames a second', async () => {
    // 24 frames a second, played at 60: two and a half times as fast.
    expect(await retimed(72, 60)).toMatchObject({ seconds: 72 / 30 })
  })

  test('counts frames that share nearly the same time', async () => {
    const burst = await clip({
      seconds: 1,
      frameRate: 1000,
      times: [...Array.from({ length: 45 }, (_, i) => i / 1000), 1],
    })
    expect(await factsOf(burst)).toMatchObject({ seconds: 46 / 30 })
    const flood = await clip({ seconds: 1, frameRate: 1000, times: Array.from({ length: 90 }, (_, i) => i / 1000) })
    expect(await factsOf(flood)).toBe('video_too_fast')
  })
})

describe('a container', () => {
  let mp4: Bytes
  let webm: Bytes
  beforeAll(async () => {
    mp4 = await clip()
    webm = await clip({ format: 'webm' })
  })
  const box = isoBox

  test('may have the tracks of phones but not thousands', async () => {
    expect(await factsOf(withTracks(mp4, 8))).toMatchObject({ width: 96 })
    expect(await factsOf(withTracks(mp4, 5000))).toBe('video_unreadable')
    expect(await factsOf(withWebmTracks(webm, 5000))).toBe('video_unreadable')
  })

  test('may not have excessive boxes or lists', async () => {
    const empty = Buffer.concat(Array<Buffer>(300_000).fill(box('free', Buffer.alloc(0))))
    expect(await factsOf(insertedInMovie(mp4, empty))).toBe('video_unreadable')
    const fragment = box('moof', box('mfhd', Buffer.alloc(8)))
    const fragments = Buffer.concat([mp4, ...Array<Buffer>(200_000).fill(fragment)])
    expect(await factsOf(new Uint8Array(fragments))).toBe('video_unreadable')
    const list = box('trak', box('mdia', box('minf', box('stbl', box('stsz', Buffer.alloc(6_000_000))))))
    expect(await factsOf(insertedInMovie(mp4, list))).toBe('video_unreadable')
    const cues = Buffer.concat([Buffer.from('1c53bb6b104c4b40', 'hex'), Buffer.alloc(0x4c4b40)])
    expect(await factsOf(beforeTracks(webm, cues))).toBe('video_unreadable')
  })
})

describe('a list of frames', () => {
  let mp4: Bytes
  beforeAll(async () => {
    mp4 = await clip({ seconds: 2 })
  })
  const billion = 1_000_000_000
  const deltas = (...entries: [frames: number, delta: number][]) => words(0, entries.length, ...entries.flat())
  const inChunks = (...entries: [first: number, samples: number][]) =>
    words(0, entries.length, ...entries.flatMap((entry) => [...entry, 1]))
  const sizes = (size: number, count: number) => words(0, size, count)

  test.each<[string, Record<string, Buffer>]>([
    ['a hundred million frames of a byte', { stsz: sizes(1, 100_000_000) }],
    ['a billion frame times', { stsz: sizes(1, 9_000_000), stts: deltas([billion, 1]) }],
    ['chunks of a billion frames with listed sizes', { stsc: inChunks([1, billion]) }],
    ['chunks of a billion frames of one size', { stsz: sizes(1, 20), stsc: inChunks([1, billion]) }],
    ['a billion chunks', { stsc: inChunks([1, 1], [billion, 1]) }],
    ['chunks in descending order', { stsc: inChunks([1, 1], [1000, 1], [1, 1]) }],
  ])('may not declare %s', async (_, lists) => {
    let bytes = mp4
    for (const [name, body] of Object.entries(lists)) bytes = withList(bytes, name, body)
    expect(await factsOf(bytes)).toBe('video_unreadable')
  })

  test('may not reorder a million frames', async () => {
    const reordered = withList(withList(mp4, 'stts', deltas([1_000_000, 1])), 'stss', deltas([20, 0]))
    const at = Buffer.from(reordered).indexOf('stss')
    reordered.set(Buffer.from('ctts'), at)
    expect(await factsOf(reordered)).toBe('video_unreadable')
  })

  test('may not declare a billion frames in a fragment', async () => {
    const run = isoBox('trun', words(0, billion))
    const fragment = isoBox('moof', isoBox('traf', run))
    expect(await factsOf(new Uint8Array(Buffer.concat([mp4, fragment])))).toBe('video_unreadable')
  })

  test('counts frames without a duration by their number', async () => {
    expect(await factsOf(withList(mp4, 'stts', deltas([20, 0])))).toBe('video_unreadable')
    const second = Buffer.from(mp4).readUInt32BE(Buffer.from(mp4).indexOf('mdhd') + 16)
    expect(await factsOf(withList(mp4, 'stts', deltas([19, 0], [1, second])))).toMatchObject({ seconds: 1 })
    const instant = await factsOf(withList(mp4, 'stts', deltas([19, 0], [1, second / 10])))
    expect(instant).toMatchObject({ seconds: 20 / 30 })
  })
})

async function encoded(codec: string, { width, height }: { width: number; height: number }) {
  const packets: Uint8Array[] = []
  let description: Uint8Array | undefined
  let failure: unknown
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      packets.push(data)
      const given = metadata?.decoderConfig?.description
      if (given) description ??= bytesOf(given)
    },
    error(error) {
      failure = error
    },
  })
  encoder.configure({ codec, width, height, framerate: 10, bitrate: 500_000, latencyMode: 'realtime' })
  for (let i = 0; i < 2; i++) {
    const data = new Uint8Array((width * height * 3) / 2).fill(128)
    const frame = new VideoFrame(data, {
      format: 'I420',
      codedWidth: width,
      codedHeight: height,
      timestamp: i * 100_000,
    })
    encoder.encode(frame, { keyFrame: i === 0 })
    frame.close()
  }
  await encoder.flush()
  encoder.close()
  if (failure) throw failure
  return { description, packets }
}

function withWebmTracks(bytes: Bytes, count: number): Bytes {
  const entries = Buffer.concat(Array<Buffer>(count).fill(Buffer.from('ae83d78101', 'hex')))
  const header = Buffer.from('1654ae6b00000000', 'hex')
  header.writeUInt32BE(0x10000000 + entries.length, 4)
  return beforeTracks(bytes, Buffer.concat([header, entries]))
}

function beforeTracks(bytes: Bytes, element: Buffer): Bytes {
  const file = Buffer.from(bytes)
  const at = file.lastIndexOf(Buffer.from('1654ae6b', 'hex'), file.indexOf('V_VP9'))
  return new Uint8Array(Buffer.concat([file.subarray(0, at), element, file.subarray(at)]))
}
