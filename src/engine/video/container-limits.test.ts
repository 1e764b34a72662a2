import { beforeAll, expect, test } from 'vitest'
import { makeClip } from '#tests/support/clips.ts'
import { videoInMemory } from '#tests/support/video-in-memory.ts'
import { hasOnlyElements } from './container-limits.ts'
import { readVideoInfo } from './video-info.ts'

const segment = '18538067'
const cluster = '1f43b675'

let clip: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  clip = (await makeClip({ width: 96, height: 96, seconds: 1, frameRate: 10, format: 'webm', empty: true })).bytes
})

/** The same file with the length of an element left open, as a recording in progress has it. */
function opened(bytes: Uint8Array, id: string, length = [0xff]): Uint8Array {
  const at = Buffer.from(bytes).indexOf(Buffer.from(id, 'hex')) + id.length / 2
  const lengthBytes = Math.clz32(bytes[at] as number) - 23
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(length), bytes.subarray(at + lengthBytes)])
}

const behind = (bytes: Uint8Array, more: number[]): Uint8Array => Buffer.concat([bytes, Buffer.from(more)])
const isSound = (bytes: Uint8Array) => hasOnlyElements(videoInMemory(bytes))

test('a WebM has only elements, also one with open lengths, cut off, or with padding behind its segment', async () => {
  const live = opened(opened(clip, segment), cluster)
  expect(await isSound(clip)).toBe(true)
  expect(await isSound(live)).toBe(true)
  expect(await readVideoInfo(videoInMemory(live))).toMatchObject({ contentType: 'video/webm', width: 96 })
  expect(await isSound(clip.subarray(0, clip.length * 0.7))).toBe(true)
  expect(await isSound(behind(clip, Array(100).fill(0)))).toBe(true)
})

test('what is no element is found wherever it begins, and the file is refused instead of searched forever', async () => {
  const zeros = (from: number) => Buffer.from(clip).fill(0, from)
  const begins = Buffer.from(clip).indexOf(Buffer.from(segment, 'hex'))
  for (const bytes of [
    zeros(begins + 12),
    zeros(begins + 64),
    behind(opened(clip, segment), Array(8).fill(0)),
    behind(opened(clip, segment), Array(5000).fill(7)),
    behind(opened(opened(clip, segment), cluster), Array(40).fill(0x81)),
  ]) {
    expect(await isSound(bytes)).toBe(false)
    expect(await readVideoInfo(videoInMemory(bytes))).toBe('video_unreadable')
  }
})

test('a length in eight bytes, as browsers record it, is read to the byte', async () => {
  // Behind a void element of 23 bytes the next one begins at an odd place.
  const at = Buffer.from(clip).indexOf(Buffer.from(cluster, 'hex'))
  const padding = Buffer.concat([Buffer.from('ec0100000000000017', 'hex'), Buffer.alloc(23)])
  const recorded = opened(Buffer.concat([clip.subarray(0, at), padding, clip.subarray(at)]), segment)
  expect(await isSound(recorded)).toBe(true)
  expect(await readVideoInfo(videoInMemory(recorded))).toMatchObject({ contentType: 'video/webm', width: 96 })
})

test('behind an open length of eight bytes, too, what is no element is found', async () => {
  const open = opened(clip, segment, [1, ...Array(7).fill(0xff)])
  expect(await isSound(open)).toBe(true)
  const zeros = Buffer.from(open).fill(0, Buffer.from(open).indexOf(Buffer.from(segment, 'hex')) + 24)
  expect(await isSound(zeros)).toBe(false)
})
