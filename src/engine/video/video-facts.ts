import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny'
import { videoLimits } from '#contract/media.ts'
import { hasOnlyElements, isMatroska } from './matroska.ts'
import type { VideoFile } from './video-file.ts'

/** What a video's container says of it. */
export interface VideoFacts {
  contentType: 'video/mp4' | 'video/quicktime' | 'video/webm'
  /** Pixels of the upright frames. */
  width: number
  height: number
  /** Length of the pictures; sound may be a little longer. */
  seconds: number
}

// What is wrong with somebody's file is for that person, not for the log.
Logging.level = LogLevel.Silent

/** Why a video cannot be used. */
export type VideoRefusal =
  | 'not_video'
  | 'video_too_small'
  | 'video_unreadable'
  | 'video_codec'
  | 'video_too_long'
  | 'video_too_large'
  | 'video_too_fast'

/** Recorders stop a little late, pad to whole blocks, and count a frame more. */
const slack = { seconds: 0.5, pixels: 8, frameRate: 1 }
/** What the engine decodes. */
const codecs: readonly (string | null)[] = ['avc', 'hevc', 'vp8', 'vp9', 'av1']
const contentTypes: Record<string, VideoFacts['contentType']> = {
  'video/mp4': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'video/webm': 'video/webm',
}

/**
 * Judges a video by its container, without decoding a frame: what it is, whether it is whole, how
 * long and how large. Device and server ask the same, so that the price told before the upload is
 * the one that is charged.
 */
export async function readVideoFacts(file: VideoFile): Promise<VideoFacts | VideoRefusal> {
  const { size, read } = file
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'fileSystem' })
  const input = new Input({ formats: [MP4, QTFF, WEBM], source })
  try {
    if (isMatroska(await read(0, Math.min(size, 4))) && !(await hasOnlyElements(file))) return 'video_unreadable'
    return await readFacts(input)
  } catch {
    return 'video_unreadable'
  } finally {
    input.dispose()
  }
}

async function readFacts(input: Input): Promise<VideoFacts | VideoRefusal> {
  if (!(await input.canRead())) return 'video_unreadable'
  const contentType = contentTypes[(await input.getFormat()).mimeType]
  const track = await input.getPrimaryVideoTrack()
  if (!track) return (await input.getTracks()).length > 0 ? 'not_video' : 'video_unreadable'
  if (!contentType) return 'not_video'
  if (!codecs.includes(await track.getCodec()) || !(await track.getDecoderConfig())) return 'video_codec'
  const width = await track.getDisplayWidth()
  const height = await track.getDisplayHeight()
  const [short, long] = width < height ? [width, height] : [height, width]
  if (short < videoLimits.minSide) return 'video_too_small'
  if (long > videoLimits.longSide + slack.pixels || short > videoLimits.shortSide + slack.pixels) {
    return 'video_too_large'
  }
  const seconds = await secondsOf(track)
  if (seconds === undefined) return 'video_unreadable'
  if (seconds > videoLimits.seconds + slack.seconds) return 'video_too_long'
  const { packetCount } = await track.computePacketStats()
  if (packetCount > (videoLimits.frameRate + slack.frameRate) * Math.max(1, seconds)) return 'video_too_fast'
  return { contentType, width, height, seconds }
}

/** Length of a track of which first and last frame are there. */
async function secondsOf(track: InputVideoTrack): Promise<number | undefined> {
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket()
  const last = first && (await sink.getPacket(Number.POSITIVE_INFINITY))
  if (!first?.data.length || !last?.data.length) return undefined
  const seconds = await track.computeDuration()
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined
}
