import {
  ALL_FORMATS,
  BufferSource,
  FilePathSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
} from 'mediabunny'
import { EngineError } from '#engine/error.ts'
import type { VideoSource } from '#engine/image/picture.ts'
import type { ColourMatrix } from '#engine/video/frame.ts'
import { type VideoCodec, videoCodecs } from '#engine/video/stream-size.ts'

// Problems of a user's file are reported to the user, not to the log.
Logging.level = LogLevel.Silent

export interface OpenVideo {
  track: InputVideoTrack
  codec: VideoCodec | null
  config: VideoDecoderConfig
  sound: InputAudioTrack[]
  /** Clockwise degrees from stored to upright frames. */
  rotation: 0 | 90 | 180 | 270
  /** Width of a stored pixel by its height; 1 for nearly all videos. */
  pixelAspect: number
  matrix: ColourMatrix
  fullRange: boolean
  hdr: 'pq' | 'hlg' | undefined
  colourSpace: VideoColorSpaceInit | undefined
  /** From the start of the timeline to the end of the last frame. */
  seconds: number
  frameRate: number
  close(): void
}

/** Files round the shape of their pixels. */
const squareTolerance = 0.005
/** Taller videos without colour metadata are assumed to use BT.709. */
const maxBt601Height = 576

/** Throws `upload.not_video`, `upload.video_codec` or `upload.video_unreadable`. */
export async function openVideo(video: VideoSource): Promise<OpenVideo> {
  const source = 'path' in video ? new FilePathSource(video.path) : new BufferSource(video.file)
  const input = new Input({ formats: ALL_FORMATS, source })
  try {
    return await readTracks(input)
  } catch (error) {
    input.dispose()
    if (error instanceof EngineError) throw error
    throw new EngineError('upload.video_unreadable', { cause: error })
  }
}

async function readTracks(input: Input): Promise<OpenVideo> {
  if (!(await input.canRead())) throw new EngineError('upload.not_video')
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new EngineError('upload.not_video')
  const config = await track.getDecoderConfig()
  if (!config) throw new EngineError('upload.video_codec')
  const { matrix, transfer, fullRange } = await track.getColorSpace()
  const wide = String(matrix).startsWith('bt2020')
  const hdr = (transfer as string) === 'pq' ? 'pq' : (transfer as string) === 'hlg' ? 'hlg' : undefined
  const height = await track.getCodedHeight()
  const large = wide || matrix === 'bt709' || (!matrix && height > maxBt601Height)
  const { averagePacketRate } = await track.computePacketStats(200)
  const codec = await track.getCodec()
  return {
    track,
    codec: videoCodecs.find((known) => known === codec) ?? null,
    config,
    sound: await input.getAudioTracks(),
    rotation: await track.getRotation(),
    pixelAspect: pixelAspectOf(await track.getPixelAspectRatio()),
    matrix: large ? 'bt709' : 'bt601',
    fullRange: fullRange === true,
    hdr,
    colourSpace: matrix ? colourSpaceOf(large) : undefined,
    seconds: await track.computeDuration(),
    frameRate: Math.min(240, Math.max(1, averagePacketRate || 30)),
    close: () => input.dispose(),
  }
}

function pixelAspectOf({ num, den }: { num: number; den: number }): number {
  const aspect = num / den
  return aspect > 0 && aspect < Number.POSITIVE_INFINITY && Math.abs(aspect - 1) >= squareTolerance ? aspect : 1
}

function colourSpaceOf(large: boolean): VideoColorSpaceInit {
  if (large) return { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false }
  return { primaries: 'smpte170m', transfer: 'smpte170m', matrix: 'smpte170m', fullRange: false }
}

export function createSignal(): { notify(): void; wait(): Promise<void> } {
  let waiting = Promise.withResolvers<void>()
  return {
    notify() {
      waiting.resolve()
      waiting = Promise.withResolvers<void>()
    },
    wait: () => waiting.promise,
  }
}
