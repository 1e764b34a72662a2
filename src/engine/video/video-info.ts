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
import type { Size } from '#engine/image/picture.ts'
import { videoLimits } from '#shared/media.ts'
import { largerSize } from './bitstream.ts'
import { hasValidElements, isMatroska, isWithinBoxLimits, type RandomAccessFile } from './container-limits.ts'
import { announcedSize, type VideoCodec, videoCodecs } from './stream-size.ts'

export interface VideoInfo {
  contentType: 'video/mp4' | 'video/quicktime' | 'video/webm'
  width: number
  height: number
  /** Charged length, from `billableSeconds`; sound may be slightly longer. */
  seconds: number
}

// Problems of a user's file are reported to the user, not to the log.
Logging.level = LogLevel.Silent

type VideoRejection =
  | 'not_video'
  | 'video_too_small'
  | 'video_unreadable'
  | 'video_codec'
  | 'video_too_long'
  | 'video_too_large'
  | 'video_too_fast'

/** Recorders stop late, pad to whole blocks, and write an extra frame. */
const tolerance = { seconds: 0.5, pixels: 8, frameRate: 1 }
const contentTypes: Record<string, VideoInfo['contentType']> = {
  'video/mp4': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'video/webm': 'video/webm',
}

/**
 * Checks type, integrity, length and size by the container, without decoding. The client uses it
 * too, so that the price shown before the upload is the price charged.
 */
export async function readVideoInfo(file: RandomAccessFile): Promise<VideoInfo | VideoRejection> {
  const { size, read } = file
  const source = new CustomSource({ getSize: () => size, read, prefetchProfile: 'fileSystem' })
  const input = new Input({ formats: [MP4, QTFF, WEBM], source })
  try {
    const isWebm = isMatroska(await read(0, Math.min(size, 4)))
    if (!(await (isWebm ? hasValidElements(file) : isWithinBoxLimits(file)))) return 'video_unreadable'
    return await readFacts(input)
  } catch {
    return 'video_unreadable'
  } finally {
    input.dispose()
  }
}

async function readFacts(input: Input): Promise<VideoInfo | VideoRejection> {
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
  if (exceedsSizeLimit(largest)) return 'video_too_large'
  const seconds = await secondsOf(track)
  if (seconds === undefined) return 'video_unreadable'
  const { shown, stored } = seconds
  if (stored > videoLimits.seconds + tolerance.seconds) return 'video_too_long'
  const mostFrames = (videoLimits.frameRate + tolerance.frameRate) * Math.max(1, stored)
  const { packetCount } = await track.computePacketStats(Math.ceil(mostFrames) + 1)
  if (packetCount > mostFrames) return 'video_too_fast'
  return { contentType, width, height, seconds: billableSeconds(shown, (packetCount * shown) / stored) }
}

export function exceedsSizeLimit({ width, height }: Size): boolean {
  const [short, long] = width < height ? [width, height] : [height, width]
  return long > videoLimits.longSide + tolerance.pixels || short > videoLimits.shortSide + tolerance.pixels
}

/** Upright size, and an upper bound; the stream's size counts, because decoding follows it. */
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
  const largest = [shown, coded, stream && turn(stream)].reduce(largerSize) as Size
  return { ...(stream && !isSimilarSize(turn(stream), coded) ? turn(stream) : shown), largest }
}

const isSimilarSize = (a: Size, b: Size) =>
  Math.abs(a.width - b.width) <= tolerance.pixels && Math.abs(a.height - b.height) <= tolerance.pixels

export function bytesOf(source: AllowSharedBufferSource): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
}

/** Frames before an edit list's start are stored, and decoded, but neither shown nor charged. */
async function secondsOf(track: InputVideoTrack): Promise<{ shown: number; stored: number } | undefined> {
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket()
  const last = first && (await sink.getPacket(Number.POSITIVE_INFINITY))
  if (!first?.data.length || !last?.data.length) return undefined
  const shown = await track.computeDuration()
  const stored = shown - Math.min(0, await track.getFirstTimestamp())
  return shown > 0 && Number.isFinite(stored) ? { shown, stored } : undefined
}

/** Frames that count as a second, and the tolerance for additional frames by a camera. */
const countedRate = { frameRate: 30, tolerance: 1 }

/**
 * The duration or, above thirty frames a second, one second for each thirty frames, because the
 * work depends on the number of frames.
 */
export function billableSeconds(seconds: number, frames: number): number {
  return frames <= (countedRate.frameRate + countedRate.tolerance) * seconds ? seconds : frames / countedRate.frameRate
}
