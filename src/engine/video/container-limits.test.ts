import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#tests/support/clips.ts'
import { videoInMemory } from '#tests/support/video-in-memory.ts'
import { hasValidElements } from './container-limits.ts'
import { readVideoInfo } from './video-info.ts'

const segment = '18538067'
const cluster = '1f43b675'

let clip: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  clip = (await makeClip({ width: 96, height: 96, seconds: 1, frameRate: 10, format: 'webm', empty: true })).bytes
})

/** An element of unknown length, as in a recording in progress. */
function withOpenLength(bytes: Uint8Array, id: string, length = [0xff]): Uint8Array {
  const at = Buffer.from(bytes).indexOf(Buffer.from(id, 'hex')) + id.length / 2
  const lengthBytes = Math.clz32(bytes[at] as number) - 23
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(length), bytes.subarray(at + lengthBytes)])
}

const behind = (bytes: Uint8Array, more: number[]): Uint8Array => Buffer.concat([bytes, Buffer.from(more)])
const isSound = (bytes: Uint8Array) => hasValidElements(videoInMemory(bytes))

test('a WebM may have unknown lengths, be truncated, or have padding after its segment', async () => {
  const live = withOpenLength(withOpenLength(clip, segment), cluster)
  expect(await isSound(clip)).toBe(true)
  expect(await isSound(live)).toBe(true)
  expect(await readVideoInfo(videoInMemory(live))).toMatchObject({ contentType: 'video/webm', width: 96 })
  expect(await isSound(clip.subarray(0, clip.length * 0.7))).toBe(true)
  expect(await isSound(behind(clip, Array(100).fill(0)))).toBe(true)
})

test('a file with data outside elements is rejected instead of searched forever', async () => {
  const zeros = (from: number) => Buffer.from(clip).fill(0, from)
  const begins = Buffer.from(clip).indexOf(Buffer.from(segment, 'hex'))
  for (const bytes of [
    zeros(begins + 12),
    zeros(begins + 64),
    behind(withOpenLength(clip, segment), Array(8).fill(0)),
    behind(withOpenLength(clip, segment), Array(5000).fill(7)),
    behind(withOpenLength(withOpenLength(clip, segment), cluster), Array(40).fill(0x81)),
  ]) {
    expect(await isSound(bytes)).toBe(false)
    expect(await readVideoInfo(videoInMemory(bytes))).toBe('video_unreadable')
  }
})

test('an eight-byte length as recorded by browsers is read exactly', async () => {
  // After a void element of 23 bytes, the next element starts at an odd offset.
  const at = Buffer.from(clip).indexOf(Buffer.from(cluster, 'hex'))
  const padding = Buffer.concat([Buffer.from('ec0100000000000017', 'hex'), Buffer.alloc(23)])
  const recorded = withOpenLength(Buffer.concat([clip.subarray(0, at), padding, clip.subarray(at)]), segment)
  expect(await isSound(recorded)).toBe(true)
  expect(await readVideoInfo(videoInMemory(recorded))).toMatchObject({ contentType: 'video/webm', width: 96 })
})

test('data outside elements is found after an unknown length of eight bytes', async () => {
  const open = withOpenLength(clip, segment, [1, ...Array(7).fill(0xff)])
  expect(await isSound(open)).toBe(true)
  const zeros = Buffer.from(open).fill(0, Buffer.from(open).indexOf(Buffer.from(segment, 'hex')) + 24)
  expect(await isSound(zeros)).toBe(false)
})
