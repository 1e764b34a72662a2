import { EngineError } from '#engine/error.ts'
import type { EncodedVideo, Picture, Plane } from '#engine/image/picture.ts'
import { shrink } from '#engine/image/plane.ts'
import type { TaskInput } from '#engine/task-types.ts'
import { frameToPicture, maskSize } from '#engine/video/frame.ts'
import { recordMasks } from './mask-source.ts'
import { openVideo } from './open-video.ts'
import { readFrames, type TimedFrame } from './read-frames.ts'

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
