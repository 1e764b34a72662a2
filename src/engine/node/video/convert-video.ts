import type { VideoFile } from '#engine/image/picture.ts'
import { shareAbove } from '#engine/image/plane.ts'
import { frameLabeller } from '#engine/watermark/ai-label.ts'
import { frameSampler } from '#engine/watermark/frames.ts'
import { videoLimits } from '#shared/media.ts'
import { EngineError } from '../../error.ts'
import type { ConvertedVideo, VideoConversion } from '../../host.ts'
import type { Frame } from '../../video/frame.ts'
import { keyedRandomness } from '../watermark-randomness.ts'
import { createFrameMemory, type FrameThreads, type MaskedFrame, openFrameThreads } from './frame-threads.ts'
import { openMasks } from './mask-source.ts'
import { type OpenVideo, openVideo } from './open-video.ts'
import { readFrames } from './read-frames.ts'
import { addSoundTrack, type Sound } from './sound.ts'
import { openWriter, type VideoWriter, videoFormats } from './write-video.ts'

interface Result {
  threads: FrameThreads
  writer: VideoWriter
  sounds: Sound[]
  /** Drawn last, in this order. */
  marks: ((frame: Frame) => void)[]
  width: number
  height: number
}

interface Pending {
  masked: Promise<MaskedFrame>
  made: Promise<Frame>
  seconds: number
  duration: number
}

const masksAhead = 2
/** Further tracks are dropped. */
const maxSoundTracks = 4

/**
 * Streams: neither input nor result is ever held in pixels. Masks are found in order in a thread;
 * frames are composited in parallel in others.
 */
export async function convertVideo(
  file: VideoFile,
  conversion: VideoConversion,
  { signal, watermarkKey }: { signal: AbortSignal; watermarkKey: Uint8Array },
): Promise<ConvertedVideo> {
  const video = await openVideo(file)
  const masks = await openMasks(conversion.masks, video.frameRate, signal)
  const memory = createFrameMemory()
  const pending: Pending[] = []
  let maxSubjectShare = 0
  let result: Result | undefined

  async function writeNext({ writer, marks }: Result): Promise<void> {
    const { masked, made, seconds, duration } = pending.shift() as Pending
    const { mask } = await masked
    maxSubjectShare = Math.max(maxSubjectShare, shareAbove(mask, 127))
    await masks.keep(mask, seconds, duration)
    const frame = await made
    for (const mark of marks) mark(frame)
    conversion.onFrame(frame, seconds, video.seconds)
    await writer.add(frame, seconds, duration)
    memory.release(frame)
  }

  try {
    const { until, maxSide, format } = conversion
    let frames = 0
    let end = 0
    for await (const { frame, seconds, duration } of readFrames(video, { signal, until, maxSide, memory })) {
      if (until !== undefined && frames > videoLimits.frameRate * until) break
      result ??= await begin(video, conversion, { frame, watermarkKey })
      const masked = masks.find(frame)
      const made = masked.then(result.threads.compose)
      // Prevents an unhandled rejection; the error is reported when the frame is written.
      made.catch(() => {})
      pending.push({ masked, made, seconds, duration })
      while (pending.length > masksAhead + result.threads.capacity) await writeNext(result)
      end = seconds + duration
      for (const sound of result.sounds) await sound.advance(Math.min(end, until ?? end))
      frames++
    }
    if (!result) throw new EngineError('upload.video_unreadable', { cause: 'the video has no frame' })
    while (pending.length > 0) await writeNext(result)
    await result.writer.flush()
    for (const sound of result.sounds) {
      await sound.advance(until ?? Number.POSITIVE_INFINITY)
      await sound.close()
    }
    signal.throwIfAborted()
    const bytes = await result.writer.finish()
    const kept = await masks.finish()
    const soundLost =
      result.sounds.length < Math.min(maxSoundTracks, video.sound.length) || result.sounds.some(({ lost }) => lost())
    const { width, height } = result
    const converted = {
      file: bytes,
      ...videoFormats[format],
      width,
      height,
      frames,
      seconds: end,
      soundLost,
      maxSubjectShare,
    }
    return { ...converted, ...(kept && { masks: kept }) }
  } finally {
    for (const sound of result?.sounds ?? []) await sound.close().catch(() => {})
    result?.writer.close()
    await masks.close()
    video.close()
  }
}

async function begin(
  video: OpenVideo,
  { format, backdrop, watermarked, labelled }: VideoConversion,
  { frame, watermarkKey }: { frame: Frame; watermarkKey: Uint8Array },
): Promise<Result> {
  const { width, height } = frame
  const threads = openFrameThreads(typeof backdrop === 'function' ? await backdrop(frame) : backdrop)
  const { frameRate, colourSpace } = video
  const writer = openWriter({ format, width, height, alpha: backdrop === 'none', frameRate, colourSpace })
  const sounds: Sound[] = []
  for (const track of video.sound.slice(0, maxSoundTracks)) {
    const sound = await addSoundTrack(track, writer.output, format)
    if (sound) sounds.push(sound)
  }
  await writer.output.start()
  const marks = [
    ...(watermarked ? [frameSampler(frame, keyedRandomness(watermarkKey, frame.y))] : []),
    ...(labelled ? [frameLabeller(frame)] : []),
  ]
  return { threads, writer, sounds, marks, width, height }
}
