import type { VideoFile } from '#engine/image/picture.ts'
import type { Frame } from '../../video/frame.ts'
import { openVideo } from './open-video.ts'
import { readFrames } from './read-frames.ts'

/**
 * Single frames of a video, one for each place (a share of its length, ascending): the first that
 * can be jumped to there.
 */
export async function videoFrames(
  file: VideoFile,
  places: readonly number[],
  maxSide: number,
  signal: AbortSignal,
): Promise<Frame[]> {
  const video = await openVideo(file.path)
  try {
    const frames: Frame[] = []
    for (const place of places) {
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
