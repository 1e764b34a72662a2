import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VideoEncoder, VideoFrame } from '@napi-rs/webcodecs'
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVideo } from './open-video.ts'
import { readFrames } from './read-frames.ts'

const [width, height] = [128, 96]
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'frames-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Ten bits as recorded by phones: black left, diffuse white (203 cd/m²) right. */
async function hdrVideo(): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedVideoPacketSource('hevc')
  output.addVideoTrack(source)
  await output.start()
  const colorSpace = { primaries: 'bt2020', transfer: 'pq', matrix: 'bt2020-ncl', fullRange: false }
  let written: Promise<unknown> = Promise.resolve()
  let failure: unknown
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const packet = new EncodedPacket(data, chunk.type, chunk.timestamp / 1e6, 0.1)
      const config = metadata?.decoderConfig && { decoderConfig: { ...metadata.decoderConfig, colorSpace } }
      written = written.then(() => source.add(packet, config as EncodedVideoChunkMetadata | undefined))
    },
    error(error) {
      failure = error
    },
  })
  encoder.configure({ codec: 'hvc1.2.4.L93.B0', width, height, framerate: 10, bitrate: 500_000 })
  const samples = new Uint16Array(width * height * 1.5)
  for (let i = 0; i < width * height; i++) samples[i] = i % width < width / 2 ? 64 : 64 + 0.58 * 876
  samples.fill(512, width * height)
  const init = { format: 'I420P10' as const, codedWidth: width, codedHeight: height, timestamp: 0, duration: 100_000 }
  const frame = new VideoFrame(new Uint8Array(samples.buffer), init)
  encoder.encode(frame, { keyFrame: true })
  frame.close()
  await encoder.flush()
  await written
  if (failure) throw failure
  encoder.close()
  source.close()
  await output.finalize()
  return new Uint8Array(target.buffer as ArrayBuffer)
}

test('a ten-bit HDR video is decoded to eight bits for standard screens', async () => {
  const video = await openVideo({ file: await hdrVideo(), contentType: 'video/mp4' })
  expect(video.hdr).toBe('pq')
  for await (const { frame } of readFrames(video, { signal: new AbortController().signal })) {
    const at = (x: number) => frame.y[10 * width + x] as number
    expect(Math.abs(at(10) - 16)).toBeLessThan(4)
    expect(at(width - 10)).toBeGreaterThan(170)
    expect(at(width - 10)).toBeLessThan(230)
  }
  video.close()
})

test('frames that are stored out of order get their own times', async () => {
  const file = new Uint8Array(readFileSync(new URL('../fixtures/reordered-frames.mp4', import.meta.url)))
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
  expect(shown).toEqual(Array.from({ length: 48 }, (_, i) => i))
})

const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length
