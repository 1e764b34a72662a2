import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from '@napi-rs/webcodecs'
import { EncodedPacketSink } from 'mediabunny'
import { EngineError } from '#engine/error.ts'
import type { Size, VideoFile } from '#engine/image/picture.ts'
import { createFrame, type Frame, packedFrame } from '#engine/video/frame.ts'
import { announcedSize } from '#engine/video/stream-size.ts'
import { bytesOf, exceedsSizeLimit } from '#engine/video/video-info.ts'
import { startWorkTimer } from '../processor-time.ts'
import type { FrameMemory } from './frame-threads.ts'
import { copyPlanes, rotateFrame, scaleFrame, squareSize, stretchFrame, toStandardRange } from './normalize-frame.ts'
import { createSignal, type OpenVideo, openVideo } from './open-video.ts'

/** Presentation time in seconds on the file's timeline. */
export interface TimedFrame {
  frame: Frame
  seconds: number
  duration: number
}

interface ReadOptions {
  signal: AbortSignal
  /** Seconds; starts at the last key frame at or before. */
  from?: number
  /** Seconds; frames from this time on are left out. */
  until?: number | undefined
  /** Longest side in pixels; larger frames are reduced. */
  maxSide?: number
  /** The consumer must release the frames. */
  memory?: FrameMemory
}

/** Frames of a rounding error are hidden too. */
const shownFrom = 0.001
/** Maximum decoded frames waiting for the consumer, and packets waiting for the decoder. */
const maxQueued = 3
/** Granted processor time without an event, after which the decoder is stuck in a damaged file. */
const decoderTimeoutSeconds = 20

/**
 * On demand, in presentation order, upright, of square pixels, even size and standard range. Throws
 * `upload.video_unreadable` for damaged files, unknown codecs and changing sizes, and
 * `upload.video_too_large` before decoding frames above the size limit.
 */
export async function* readFrames(video: OpenVideo, options: ReadOptions): AsyncGenerator<TimedFrame> {
  const { signal, from, until = Number.POSITIVE_INFINITY, maxSide, memory } = options
  const decoded: VideoFrame[] = []
  const progress = createSignal()
  let failure: unknown
  let ended = false
  const decoder = new VideoDecoder({
    output(frame) {
      decoded.push(frame)
      progress.notify()
    },
    error(error) {
      failure ??= error
      progress.notify()
    },
  })
  decoder.ondequeue = progress.notify
  signal.addEventListener('abort', progress.notify)
  const times = createPresentationTimes()
  const announced = sizeReader(video)
  let packets = 0
  let frames = 0

  const feed = async () => {
    const sink = new EncodedPacketSink(video.track)
    decoder.configure(video.config as Parameters<VideoDecoder['configure']>[0])
    const first = from === undefined ? null : await sink.getKeyPacket(from)
    let start: number | undefined
    for await (const packet of sink.packets(first ?? undefined)) {
      // Packets are stored slightly before frames that are shown earlier.
      if (ended || packet.timestamp > until + 1) break
      start ??= packet.timestamp
      // Frames shown before the first key frame depend on frames that were cut off.
      if (packet.timestamp < start) continue
      packets++
      requireSize(announced(packet.data))
      times.add({ seconds: packet.microsecondTimestamp / 1e6, duration: packet.duration })
      const { type, microsecondTimestamp: timestamp, microsecondDuration: duration, data } = packet
      decoder.decode(new EncodedVideoChunk({ type, timestamp, duration, data }))
      while (!ended && !failure && (decoded.length >= maxQueued || decoder.decodeQueueSize >= maxQueued)) {
        await progress.wait()
      }
      if (failure) return
    }
    if (!ended) await decoder.flush()
  }
  const fed = feed().then(
    () => {
      ended = true
      progress.notify()
    },
    (error) => {
      failure ??= error
      ended = true
      progress.notify()
    },
  )

  try {
    const upright = createUprighter(video, maxSide, memory?.create)
    while (true) {
      const frame = decoded.shift()
      progress.notify()
      if (!frame) {
        if (failure instanceof EngineError) throw failure
        if (failure) throw new EngineError('upload.video_unreadable', { cause: failure })
        if (ended) return
        await withDecoderTimeout(progress.wait())
        signal.throwIfAborted()
        continue
      }
      try {
        // Limit decoded frames to the number of packets, because the price depends on the packets.
        if (++frames > packets) throw new EngineError('upload.video_unreadable', { cause: 'more frames than packets' })
        const { seconds: at, duration: length } = times.takeEarliest()
        // Players hide what lies before an edit list's start.
        if (at >= until || at + length <= shownFrom) continue
        const seconds = Math.max(0, at)
        yield { frame: await upright(frame), seconds, duration: at + length - seconds }
        signal.throwIfAborted()
      } finally {
        frame.close()
      }
    }
  } finally {
    signal.removeEventListener('abort', progress.notify)
    ended = true
    progress.notify()
    for (const frame of decoded.splice(0)) frame.close()
    if (decoder.state !== 'closed') decoder.close()
    await fed
    for (const frame of decoded.splice(0)) frame.close()
  }
}

interface PresentationTime {
  seconds: number
  duration: number
}

/**
 * Times of packets whose frame is not decoded yet. The decoder returns frames in presentation order
 * but labels them in the order of their packets, which differs in videos with B-frames.
 */
function createPresentationTimes() {
  const waiting: PresentationTime[] = []
  return {
    add(time: PresentationTime): void {
      let at = waiting.length
      while (at > 0 && (waiting[at - 1] as PresentationTime).seconds > time.seconds) at--
      waiting.splice(at, 0, time)
    },
    /** There must be at most as many frames as packets. */
    takeEarliest: () => waiting.shift() as PresentationTime,
  }
}

function sizeReader({ codec, config: { description } }: OpenVideo): (packet: Uint8Array) => Size | undefined {
  if (!codec) return () => undefined
  const record = description && bytesOf(description)
  return (packet) => announcedSize(codec, { description: record, packet })
}

function requireSize(size: Size | undefined): void {
  if (size && exceedsSizeLimit(size)) throw new EngineError('upload.video_too_large')
}

async function withDecoderTimeout(event: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stuck = () => reject(new EngineError('upload.video_unreadable', { cause: 'the decoder is stuck' }))
  const timer = startWorkTimer(decoderTimeoutSeconds * 1000, stuck)
  try {
    await Promise.race([event, promise])
  } finally {
    timer.stop()
  }
}

function createUprighter(
  video: OpenVideo,
  maxSide = Number.POSITIVE_INFINITY,
  create = createFrame,
): (frame: VideoFrame) => Promise<Frame> {
  let staging = new Uint8Array(0)
  let first: Size | undefined
  return async (decoded) => {
    const { codedWidth: width, codedHeight: height } = decoded
    if (width < 2 || height < 2) throw new EngineError('upload.video_unreadable', { cause: 'empty frame' })
    requireSize({ width, height })
    first ??= { width, height }
    if (width !== first.width || height !== first.height) {
      throw new EngineError('upload.video_unreadable', { cause: 'the frames change their size' })
    }
    const { matrix, rotation, pixelAspect } = video
    const isUpright = rotation === 0 && pixelAspect === 1
    if (width % 2 === 0 && height % 2 === 0 && isUpright && Math.max(width, height) <= maxSide) {
      const frame = create(width, height, matrix)
      await copyPlanes(decoded, packedFrame(frame))
      toStandardRange(frame, video)
      return frame
    }
    const [columns, lines] = [Math.ceil(width / 2), Math.ceil(height / 2)]
    const size = width * height + 2 * columns * lines
    if (staging.length !== size) staging = new Uint8Array(size)
    await copyPlanes(decoded, staging)
    const stored = evenFrame(staging, width, height, video)
    toStandardRange(stored, video)
    const square = squareSize(stored, pixelAspect)
    requireSize(square)
    const shaped = pixelAspect === 1 ? stored : stretchFrame(stored, square)
    return scaleFrame(rotateFrame(shaped, rotation, create), maxSide, create)
  }
}

function evenFrame(bytes: Uint8Array, width: number, height: number, { matrix }: OpenVideo): Frame {
  const [columns, lines] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const frame = createFrame(width - (width % 2), height - (height % 2), matrix)
  crop(bytes, width, frame.y, frame.width)
  crop(bytes.subarray(width * height), columns, frame.u, frame.width / 2)
  crop(bytes.subarray(width * height + columns * lines), columns, frame.v, frame.width / 2)
  return frame
}

function crop(from: Uint8Array, stride: number, to: Uint8Array, width: number): void {
  for (let at = 0, row = 0; at < to.length; at += width, row += stride) to.set(from.subarray(row, row + width), at)
}

/** For each position (ascending shares of the length), the nearest key frame before it. */
export async function videoFrames(
  file: VideoFile,
  positions: readonly number[],
  maxSide: number,
  signal: AbortSignal,
): Promise<Frame[]> {
  const video = await openVideo(file)
  try {
    const frames: Frame[] = []
    for (const place of positions) {
      for await (const { frame } of readFrames(video, { signal, maxSide, from: place * video.seconds })) {
        frames.push(frame)
        break
      }
    }
    return frames
  } finally {
    video.close()
  }
}
