import { type EncodedVideoChunk, VideoEncoder, VideoFrame } from '@napi-rs/webcodecs'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { type Frame, packedFrame } from '../../video/frame.ts'
import { createSignal } from './open-video.ts'

export type VideoFormat = 'webm' | 'mp4'

export const videoFormats = {
  webm: { contentType: 'video/webm', extension: 'webm' },
  mp4: { contentType: 'video/mp4', extension: 'mp4' },
} as const satisfies Record<VideoFormat, { contentType: string; extension: string }>

interface WriteOptions {
  format: VideoFormat
  width: number
  height: number
  alpha: boolean
  frameRate: number
  colourSpace?: VideoColorSpaceInit | undefined
  /** For each pixel of a frame; the format's default if absent. */
  bitsPerPixel?: number
}

export interface VideoWriter {
  /** Must be started once all tracks are added. */
  output: Output
  /** The frame's memory may be reused when this resolves. */
  add(frame: Frame, seconds: number, duration: number): Promise<void>
  flush(): Promise<void>
  /** All tracks must be complete. */
  finish(): Promise<Uint8Array>
  close(): void
}

/** In seconds; players can seek to key frames. */
const keyFrameEvery = 2
const maxQueued = 3
/** Bits for each pixel of a frame; `minBitrate` gives small videos slightly more. */
const defaultBitsPerPixel = { mp4: 0.13, webm: 0.1 }
const minBitrate = 600_000
/** FFmpeg puts Matroska's number of the additional block in front of its content. */
const blockNumberBytes = 8

export function openWriter(options: WriteOptions): VideoWriter {
  const { format, width, height, alpha, frameRate, colourSpace, bitsPerPixel = defaultBitsPerPixel[format] } = options
  const target = new BufferTarget()
  const output = new Output({
    format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'in-memory' }) : new WebMOutputFormat(),
    target,
  })
  const source = new EncodedVideoPacketSource(format === 'mp4' ? 'avc' : 'vp9')
  output.addVideoTrack(source)
  const progress = createSignal()
  const durations = new Map<number, number>()
  let written = Promise.resolve()
  let failure: unknown
  let lastKey = Number.NEGATIVE_INFINITY

  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const packet = packetOf(chunk, durations, metadata?.alphaSideData)
      const config = metadata?.decoderConfig
      const described = config
        ? { decoderConfig: { ...config, ...(colourSpace && { colorSpace: colourSpace }) } }
        : undefined
      written = written.then(() => source.add(packet, described as EncodedVideoChunkMetadata | undefined))
      written.catch((error) => {
        failure ??= error
      })
      progress.notify()
    },
    error(error) {
      failure ??= error
      progress.notify()
    },
  })
  encoder.ondequeue = progress.notify
  encoder.configure({
    codec: format === 'mp4' ? avcCodec(width, height, frameRate) : 'vp09.00.41.08',
    width,
    height,
    framerate: Math.round(frameRate),
    alpha: alpha ? 'keep' : 'discard',
    bitrate: Math.max(minBitrate, Math.round(bitsPerPixel * width * height * Math.min(60, frameRate))),
    latencyMode: 'quality',
    hardwareAcceleration: 'prefer-software',
  })

  return {
    output,
    async add(frame, seconds, duration) {
      const timestamp = Math.round(seconds * 1e6)
      durations.set(timestamp, duration)
      const keyFrame = seconds - lastKey >= keyFrameEvery
      if (keyFrame) lastKey = seconds
      const picture = new VideoFrame(packedFrame(frame), {
        format: alpha ? 'I420A' : 'I420',
        codedWidth: width,
        codedHeight: height,
        timestamp,
        duration: Math.round(duration * 1e6),
      })
      encoder.encode(picture, { keyFrame })
      picture.close()
      while (encoder.encodeQueueSize > maxQueued && !failure) await progress.wait()
      await written
      if (failure) throw failure
    },
    async flush() {
      await encoder.flush()
      await written
      if (failure) throw failure
      source.close()
    },
    async finish() {
      await output.finalize()
      if (!target.buffer) throw new Error('the video file is incomplete')
      return new Uint8Array(target.buffer)
    },
    close() {
      if (encoder.state !== 'closed') encoder.close()
    },
  }
}

function packetOf(
  chunk: EncodedVideoChunk,
  durations: Map<number, number>,
  alpha: Uint8Array | undefined,
): EncodedPacket {
  const data = new Uint8Array(chunk.byteLength)
  chunk.copyTo(data)
  const duration = durations.get(chunk.timestamp) ?? 0
  durations.delete(chunk.timestamp)
  const sideData = alpha && { alpha: alpha.subarray(blockNumberBytes) }
  return new EncodedPacket(data, chunk.type, chunk.timestamp / 1e6, duration, undefined, undefined, sideData)
}

/** High profile at the lowest level (ITU-T H.264, table A-1) that supports the frames. */
function avcCodec(width: number, height: number, frameRate: number): string {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const levels = [
    ...[[0x1e, 1620, 40_500] as const, [0x1f, 3600, 108_000] as const, [0x28, 8192, 245_760] as const],
    ...[[0x2a, 8704, 522_240] as const, [0x33, 36_864, 983_040] as const],
  ]
  const [level] = levels.find(([, size, rate]) => blocks <= size && blocks * frameRate <= rate) ?? [0x34]
  return `avc1.6400${level.toString(16).padStart(2, '0')}`
}
