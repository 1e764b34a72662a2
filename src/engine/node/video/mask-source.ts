import { EngineError } from '#engine/error.ts'
import type { VideoConversion } from '#engine/host.ts'
import type { EncodedVideo, Picture, Plane, VideoSource } from '#engine/image/picture.ts'
import { shrink } from '#engine/image/plane.ts'
import type { TaskInput } from '#engine/task-types.ts'
import {
  type Frame,
  frameToPicture,
  type Mask,
  maskFromFrame,
  maskSize,
  maskToFrame,
  type VideoSubject,
} from '#engine/video/frame.ts'
import { frameThreads, type MaskedFrame, type MaskTask, runFrame } from './frame-threads.ts'
import { openVideo } from './open-video.ts'
import { readFrames, type TimedFrame } from './read-frames.ts'
import { openWriter, type VideoWriter, videoFormats } from './write-video.ts'

interface MaskSource {
  /** Must be called in order; takes the frame's memory over and returns it with the mask. */
  find(frame: Frame): Promise<MaskedFrame>
  /** Must be called in order. */
  keep(mask: Mask, seconds: number, duration: number): Promise<void>
  finish(): Promise<EncodedVideo | undefined>
  close(): Promise<void>
}

/** High quality: masks are small, and a loss would affect every later render. */
const bitsPerPixel = 0.35

export async function openMasks(
  masks: VideoConversion['masks'],
  frameRate: number,
  signal: AbortSignal,
): Promise<MaskSource> {
  return 'subject' in masks ? findMasks(masks.subject, frameRate) : readMasks(masks, signal)
}

function recordMasks(frameRate: number): Omit<MaskSource, 'find'> {
  let writer: VideoWriter | undefined
  let made = { width: 0, height: 0, seconds: 0 }
  return {
    async keep(mask, seconds, duration) {
      const { width, height } = mask
      if (!writer) {
        writer = openWriter({ format: 'mp4', width, height, alpha: false, frameRate, bitsPerPixel })
        await writer.output.start()
      }
      made = { width, height, seconds: seconds + duration }
      await writer.add(maskToFrame(mask), seconds, duration)
    },
    async finish() {
      if (!writer) return undefined
      await writer.flush()
      return { file: await writer.finish(), ...videoFormats.mp4, ...made }
    },
    close: async () => writer?.close(),
  }
}

let videos = 0

function findMasks(subject: VideoSubject, frameRate: number): MaskSource {
  const thread = frameThreads('findMask', 1)
  const video = videos++
  const kept = recordMasks(frameRate)
  return {
    ...kept,
    find: (frame) => runFrame(thread, { video, subject, frame } satisfies MaskTask, frame),
    async close() {
      await thread.run({ video, end: true } satisfies MaskTask).catch(() => {})
      await kept.close()
    },
  }
}

async function readMasks(masks: VideoSource, signal: AbortSignal): Promise<MaskSource> {
  const video = await openVideo(masks)
  const frames = readFrames(video, { signal })
  return {
    async find(frame) {
      const found = await frames.next()
      if (found.done) throw new EngineError('generation.not_renderable', { cause: 'a mask is missing' })
      return { frame, mask: maskFromFrame(found.value.frame) }
    },
    keep: async () => {},
    finish: async () => undefined,
    async close() {
      await frames.return(undefined)
      video.close()
    },
  }
}

/** Masks are smaller, and are refined along the frame's colours. */
const side = 1024

/**
 * Only the pipeline's frames are in memory; `find` must return one matte for each frame, in order.
 */
export async function matteVideo(
  { video, seconds: until }: TaskInput['videoMatte'],
  find: (frames: AsyncIterable<Picture>) => AsyncIterable<Plane>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(share: number): void },
): Promise<EncodedVideo> {
  const opened = await openVideo(video)
  const masks = recordMasks(opened.frameRate)
  const shown: TimedFrame[] = []
  async function* frames() {
    for await (const timed of readFrames(opened, { signal, until, maxSide: side })) {
      shown.push(timed)
      yield frameToPicture(timed.frame, side)
    }
  }
  try {
    const offset = Math.max(0, -(await opened.track.getFirstTimestamp()))
    const length = Math.min(opened.seconds, until ?? opened.seconds)
    for await (const matte of find(frames())) {
      const { frame, seconds, duration } = shown.shift() as TimedFrame
      const { width, height } = maskSize(frame)
      const data = Uint8Array.from(shrink(matte, width, height).data, (alpha) => 255 * alpha + 0.5)
      await masks.keep({ width, height, data }, seconds + offset, duration)
      onProgress(Math.min(1, seconds / length))
    }
    const made = await masks.finish()
    if (!made) throw new EngineError('upload.video_unreadable', { cause: 'the video has no frame' })
    return made
  } finally {
    await masks.close()
    opened.close()
  }
}
