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
import type { Size } from '#engine/image/picture.ts'
import { larger } from './bits.ts'
import { hasFewBoxes, hasOnlyElements, isMatroska, type VideoFile } from './container-limits.ts'
import { announcedSize, type VideoCodec, videoCodecs } from './stream-size.ts'

/** What a video's container says of it. */
export interface VideoInfo {
  contentType: 'video/mp4' | 'video/quicktime' | 'video/webm'
  /** Pixels of the upright frames. */
  width: number
  height: number
  /**
   * Length of the pictures, as `countedSeconds` counts it; sound may be a little longer.
   */
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
const contentTypes: Record<string, VideoInfo['contentType']> = {
  'video/mp4': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'video/webm': 'video/webm',
}

/**
 * Judges a video by its container, without decoding a frame: what it is, whether it is whole, how
 * long and how large. Device and server ask the same, so that the price told before the upload is
 * the one that is charged.
 */
export async function readVideoInfo(file: VideoFile): Promise<VideoInfo | VideoRefusal> {
  const { size, read } = file
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'fileSystem' })
  const input = new Input({ formats: [MP4, QTFF, WEBM], source })
  try {
    const isWebm = isMatroska(await read(0, Math.min(size, 4)))
    if (!(await (isWebm ? hasOnlyElements(file) : hasFewBoxes(file)))) return 'video_unreadable'
    return await readFacts(input)
  } catch {
    return 'video_unreadable'
  } finally {
    input.dispose()
  }
}

async function readFacts(input: Input): Promise<VideoInfo | VideoRefusal> {
  if (!(await input.canRead())) return 'video_unreadable'
  const contentType = contentTypes[(await input.getFormat()).mimeType]
  const track = await input.getPrimaryVideoTrack()
  if (!track) return (await input.getTracks()).length > 0 ? 'not_video' : 'video_unreadable'
  if (!contentType) return 'not_video'
  const codec = await track.getCodec()
  const known = videoCodecs.find((name) => name === codec)
  const config = await track.getDecoderConfig()
  if (!known || !config) return 'video_codec'
  const { width, height, largest } = await sizesOf(track, known, config)
  if (Math.min(width, height) < videoLimits.minSide) return 'video_too_small'
  if (isTooLarge(largest)) return 'video_too_large'
  const seconds = await secondsOf(track)
  if (seconds === undefined) return 'video_unreadable'
  if (seconds > videoLimits.seconds + slack.seconds) return 'video_too_long'
  const mostFrames = (videoLimits.frameRate + slack.frameRate) * Math.max(1, seconds)
  const { packetCount } = await track.computePacketStats(Math.ceil(mostFrames) + 1)
  if (packetCount > mostFrames) return 'video_too_fast'
  return { contentType, width, height, seconds: countedSeconds(seconds, packetCount) }
}

/** Whether frames are larger than the engine takes. */
export function isTooLarge({ width, height }: Size): boolean {
  const [short, long] = width < height ? [width, height] : [height, width]
  return long > videoLimits.longSide + slack.pixels || short > videoLimits.shortSide + slack.pixels
}

/**
 * The upright size of a track's frames, and one that neither its container nor its stream exceeds.
 * The stream decides where they differ, for it is what is decoded.
 */
async function sizesOf(
  track: InputVideoTrack,
  codec: VideoCodec,
  { description }: VideoDecoderConfig,
): Promise<Size & { largest: Size }> {
  const shown = { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() }
  const isTurned = (await track.getRotation()) % 180 !== 0
  const turn = ({ width, height }: Size) => (isTurned ? { width: height, height: width } : { width, height })
  const coded = turn({ width: await track.getCodedWidth(), height: await track.getCodedHeight() })
  const packet = (await new EncodedPacketSink(track).getFirstPacket())?.data
  const stream = announcedSize(codec, { description: description && bytesOf(description), packet })
  const largest = [shown, coded, stream && turn(stream)].reduce(larger) as Size
  return { ...(stream && !isNear(turn(stream), coded) ? turn(stream) : shown), largest }
}

const isNear = (a: Size, b: Size) =>
  Math.abs(a.width - b.width) <= slack.pixels && Math.abs(a.height - b.height) <= slack.pixels

/** Of a decoder's configuration. */
export function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}

/**
 * Seconds from the first frame, or the beginning of the timeline where that is earlier, to the end
 * of the last one: also frames that an edit list puts before the beginning are worked on.
 */
export async function lengthOf(track: InputVideoTrack): Promise<number> {
  return (await track.computeDuration()) - Math.min(0, await track.getFirstTimestamp())
}

/** Length of a track of which first and last frame are there. */
async function secondsOf(track: InputVideoTrack): Promise<number | undefined> {
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket()
  const last = first && (await sink.getPacket(Number.POSITIVE_INFINITY))
  if (!first?.data.length || !last?.data.length) return undefined
  const seconds = await lengthOf(track)
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined
}

/** Frames that count as a second, and how many more a camera writes now and then. */
const usual = { frameRate: 30, slack: 1 }

/**
 * Seconds for which a video of so many frames counts: its duration, and where more than thirty
 * frames lie in a second, one for each thirty of them. That much work they are, whatever clock they
 * go by.
 */
export function countedSeconds(seconds: number, frames: number): number {
  return frames <= (usual.frameRate + usual.slack) * seconds ? seconds : frames / usual.frameRate
}
