import type { EncodedVideo, VideoSource } from '#engine/image/picture.ts'
import { EngineError } from '../../error.ts'
import type { VideoConversion } from '../../host.ts'
import { type Frame, type Mask, maskFromFrame, maskToFrame, type VideoSubject } from '../../video/frame.ts'
import { frameThreads, type MaskedFrame, type MaskTask, runFrame } from './frame-threads.ts'
import { openVideo } from './open-video.ts'
import { readFrames } from './read-frames.ts'
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

export function recordMasks(frameRate: number): Omit<MaskSource, 'find'> {
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
