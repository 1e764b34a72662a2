import { AudioData, AudioEncoder, VideoEncoder, VideoFrame } from '@napi-rs/webcodecs'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import sharp from 'sharp'
import { openWriter } from '#engine/node/video/write-video.ts'
import { type Frame, pictureToFrame } from '#engine/video/frame.ts'
import { backgrounds, photo, portrait } from './composites.ts'

export interface ClipOptions {
  width: number
  height: number
  seconds: number
  frameRate?: number
  format?: 'mp4' | 'webm'
  rotation?: 0 | 90 | 180 | 270
  /** Width of a stored pixel by its height, as the container tells it. */
  pixelAspect?: number
  /** Silence with a tone from `toneAt` on. */
  sounds?: number
  /** Seconds of each frame, instead of an even rate. */
  times?: readonly number[]
  /** Cuts off so many columns and lines, for odd sizes. */
  oddBy?: 0 | 1
  /** Without a person. */
  empty?: boolean
  /** From this frame on, another position and background. */
  cutAt?: number
  /** Brightens everything for a moment when the tone begins. */
  flash?: boolean
}

export interface Clip {
  bytes: Uint8Array<ArrayBuffer>
  width: number
  height: number
  times: readonly number[]
  /** As stored, 0 to 255. */
  alpha(frame: number): Uint8Array
}

/** Seconds. */
export const toneAt = 0.5

export async function makeClip(options: ClipOptions): Promise<Clip> {
  const { width, height, seconds, frameRate = 30, format = 'mp4', rotation = 0, sounds = 1 } = options
  const times = options.times ?? Array.from({ length: Math.round(seconds * frameRate) }, (_, i) => i / frameRate)
  const scene = await makeScene(options, times)
  const target = new BufferTarget()
  const output = new Output({ format: format === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(), target })
  const pictures = new EncodedVideoPacketSource(format === 'mp4' ? 'avc' : 'vp9')
  output.addVideoTrack(pictures, { rotation })
  const tracks = Array.from({ length: sounds }, () => new EncodedAudioPacketSource(format === 'mp4' ? 'aac' : 'opus'))
  for (const track of tracks) output.addAudioTrack(track)
  await output.start()
  await Promise.all([
    encodePictures(pictures, times, scene.frame, options),
    ...tracks.map((track) => encodeTone(track, seconds, format)),
  ])
  await output.finalize()
  if (!target.buffer) throw new Error('the clip was not finished')
  return { bytes: new Uint8Array(target.buffer), width, height, times, alpha: (i) => scene.alpha(i) }
}

export async function closeUpClip(
  name: string,
  { width, height }: { width: number; height: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const large = await sharp(photo(name))
    .resize(Math.round(1.25 * width), Math.round(1.25 * height), { fit: 'cover', position: 'top' })
    .extract({ left: Math.round(0.125 * width), top: Math.round(0.25 * height), width, height })
    .ensureAlpha()
    .raw()
    .toBuffer()
  const writer = openWriter({ format: 'mp4', width, height, alpha: false, frameRate: 10 })
  await writer.output.start()
  const frame = pictureToFrame({ width, height, data: new Uint8ClampedArray(large) }, 'bt601')
  for (let i = 0; i < 5; i++) await writer.add(frame, i / 10, 0.1)
  await writer.flush()
  const bytes = new Uint8Array(await writer.finish())
  writer.close()
  return bytes
}

export async function soundFile(seconds: number): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const track = new EncodedAudioPacketSource('aac')
  output.addAudioTrack(track)
  await output.start()
  await encodeTone(track, seconds, 'mp4')
  await output.finalize()
  if (!target.buffer) throw new Error('the sound was not finished')
  return new Uint8Array(target.buffer)
}

async function makeScene(
  { width, height, empty = false, cutAt = Number.POSITIVE_INFINITY, flash = false }: ClipOptions,
  times: readonly number[],
) {
  const side = Math.round(0.85 * height)
  const person = await portrait(side)
  const wide = { width: width + 80, height: height + 40 }
  const grounds = await Promise.all(
    (['tiles', 'leaves'] as const).map(async (name) =>
      sharp(await backgrounds[name]!())
        .removeAlpha()
        .resize(wide.width, wide.height, { fit: 'cover' })
        .raw()
        .toBuffer(),
    ),
  )
  const placeOf = (i: number) => {
    const later = i >= cutAt
    const left = Math.round((width - side) / 2 + (later ? 0.22 : -0.1) * width + 0.12 * width * Math.sin(i / 14))
    return { left, later }
  }
  return {
    alpha(i: number): Uint8Array {
      const out = new Uint8Array(width * height)
      const { left } = placeOf(i)
      for (let y = height - side; !empty && y < height; y++) {
        for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
          out[y * width + x] = person[4 * ((y - height + side) * side + x - left) + 3] as number
        }
      }
      return out
    },
    frame(i: number): Frame {
      const { left, later } = placeOf(i)
      const ground = grounds[later ? 1 : 0] as Buffer
      const shift = Math.round(40 + 38 * Math.sin(i / 25))
      const since = (times[i] as number) - toneAt
      const light = flash && since > -0.001 && since < 0.1 ? 1.35 : 1
      const data = new Uint8ClampedArray(4 * width * height)
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const inside = !empty && x >= left && x < left + side && y >= height - side
          const own = 4 * ((y - height + side) * side + x - left)
          const level = inside ? (person[own + 3] as number) / 255 : 0
          const from = 3 * ((y + (shift >> 1)) * wide.width + x + shift)
          const at = 4 * (y * width + x)
          for (let c = 0; c < 3; c++) {
            const behind = ground[from + c] as number
            data[at + c] = light * (level === 0 ? behind : level * (person[own + c] as number) + (1 - level) * behind)
          }
          data[at + 3] = 255
        }
      }
      return pictureToFrame({ width, height, data }, height > 576 ? 'bt709' : 'bt601')
    },
  }
}

async function encodePictures(
  source: EncodedVideoPacketSource,
  times: readonly number[],
  frameAt: (i: number) => Frame,
  { width: wide, height: high, format = 'mp4', frameRate = 30, oddBy = 0, pixelAspect = 1 }: ClipOptions,
): Promise<void> {
  const [width, height] = [wide - oddBy, high - oddBy]
  let written = Promise.resolve()
  let failure: unknown
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const packet = new EncodedPacket(data, chunk.type, chunk.timestamp / 1e6, 1 / frameRate)
      const shape = { displayAspectWidth: Math.round(width * pixelAspect), displayAspectHeight: height }
      const config = metadata?.decoderConfig && { decoderConfig: { ...metadata.decoderConfig, ...shape } }
      written = written.then(() => source.add(packet, { ...metadata, ...config } as EncodedVideoChunkMetadata))
    },
    error(error) {
      failure = error
    },
  })
  encoder.configure({
    codec: format === 'mp4' ? 'avc1.64001f' : 'vp09.00.31.08',
    width,
    height,
    framerate: frameRate,
    bitrate: 4_000_000,
    latencyMode: 'quality',
  })
  for (const [i, seconds] of times.entries()) {
    const { y, u, v } = frameAt(i)
    const rows = oddBy ? Array.from({ length: height }, (_, row) => y.subarray(row * wide, row * wide + width)) : [y]
    const bytes = new Uint8Array(Buffer.concat([...rows, u, v]))
    const init = {
      format: 'I420' as const,
      codedWidth: width,
      codedHeight: height,
      timestamp: Math.round(seconds * 1e6),
    }
    const picture = new VideoFrame(bytes, init)
    encoder.encode(picture, { keyFrame: i % 30 === 0 })
    picture.close()
    while (encoder.encodeQueueSize > 4 && !failure) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await encoder.flush()
  await written
  encoder.close()
  source.close()
  if (failure) throw failure
}

async function encodeTone(source: EncodedAudioPacketSource, seconds: number, format: 'mp4' | 'webm'): Promise<void> {
  const rate = format === 'mp4' ? 44_100 : 48_000
  let written = Promise.resolve()
  const encoder = new AudioEncoder({
    output(chunk, metadata) {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const packet = new EncodedPacket(data, 'key', chunk.timestamp / 1e6, (chunk.duration ?? 0) / 1e6)
      written = written.then(() => source.add(packet, metadata as EncodedAudioChunkMetadata | undefined))
    },
    error(error) {
      throw error
    },
  })
  encoder.configure({
    codec: format === 'mp4' ? 'mp4a.40.2' : 'opus',
    sampleRate: rate,
    numberOfChannels: 2,
    bitrate: 96_000,
  })
  const count = 960
  for (let from = 0; from < seconds * rate; from += count) {
    const data = new Float32Array(2 * count)
    for (let i = 0; i < count; i++) {
      const time = (from + i) / rate
      const level = time >= toneAt ? 0.6 * Math.sin(2 * Math.PI * 880 * time) : 0
      data[i] = level
      data[count + i] = level
    }
    const samples = new AudioData({
      format: 'f32-planar' as const,
      sampleRate: rate,
      numberOfFrames: count,
      numberOfChannels: 2,
      data,
      timestamp: Math.round((from / rate) * 1e6),
    })
    encoder.encode(samples)
    samples.close()
  }
  await encoder.flush()
  await written
  encoder.close()
  source.close()
}
