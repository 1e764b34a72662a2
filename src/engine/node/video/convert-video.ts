import { EngineError } from '../../error.ts'
import type { ConvertedVideo, VideoConversion } from '../../host.ts'
import type { VideoFile } from '../../picture.ts'
import type { Frame } from '../../video/frame.ts'
import { type OpenVideo, openVideo } from './open-video.ts'
import { readFrames } from './read-frames.ts'
import { joinSound, type Sound } from './sound.ts'
import { openWriter, type VideoWriter, videoFormats } from './write-video.ts'

/** A result that has begun: its size is that of the first frame. */
interface Result {
  writer: VideoWriter
  sounds: Sound[]
  width: number
  height: number
}

/** Tracks of sound beyond these are left out. */
const maxSounds = 4

/**
 * Decodes a video, has `change` make each frame into one of the result, and encodes them at the same times, in one stream: neither the
 * input nor the result is ever held in pixels. Sound is copied, or encoded anew where the container calls for it.
 */
export async function convertVideo(
  file: VideoFile,
  conversion: VideoConversion,
  signal: AbortSignal,
): Promise<ConvertedVideo> {
  const video = await openVideo(file.path)
  const { until, maxSide, format, change } = conversion
  let result: Result | undefined
  try {
    const offset = Math.max(0, -(await video.track.getFirstTimestamp()))
    let frames = 0
    let end = 0
    for await (const { frame: source, seconds, duration } of readFrames(video, { signal, until, maxSide })) {
      const frame = await change(source, seconds + offset)
      result ??= await begin(video, conversion, frame, offset)
      await result.writer.add(frame, seconds + offset, duration)
      end = seconds + duration
      for (const sound of result.sounds) await sound.advance(Math.min(end, until ?? end))
      frames++
    }
    if (!result) throw new EngineError('upload.video_unreadable', { cause: 'the video has no frame' })
    await result.writer.flush()
    for (const sound of result.sounds) {
      await sound.advance(until ?? Number.POSITIVE_INFINITY)
      await sound.close()
    }
    signal.throwIfAborted()
    const bytes = await result.writer.finish()
    const soundLost =
      result.sounds.length < Math.min(maxSounds, video.sound.length) || result.sounds.some(({ lost }) => lost())
    const { width, height } = result
    return { file: bytes, ...videoFormats[format], width, height, frames, seconds: end + offset, soundLost }
  } finally {
    for (const sound of result?.sounds ?? []) await sound.close().catch(() => {})
    result?.writer.close()
    video.close()
  }
}

async function begin(
  video: OpenVideo,
  { format, alpha }: VideoConversion,
  { width, height }: Frame,
  offset: number,
): Promise<Result> {
  const { frameRate, colourSpace } = video
  const writer = openWriter({ format, width, height, alpha, frameRate, colourSpace })
  const sounds: Sound[] = []
  for (const track of video.sound.slice(0, maxSounds)) {
    const sound = await joinSound(track, writer.output, format, offset)
    if (sound) sounds.push(sound)
  }
  await writer.output.start()
  return { writer, sounds, width, height }
}
