import { EngineError } from '#engine/error.ts'
import { clipBox } from '#engine/geometry.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Picture, VideoFile } from '#engine/picture.ts'
import { cropPicture, flatten } from '#engine/pixels.ts'
import { share } from '#engine/plane.ts'
import { blurredBackground, cutOutFrame, placeOver } from '#engine/video/compose-frame.ts'
import { createFrame, type Frame, framePart, frameToPicture, pictureToFrame, toYuv } from '#engine/video/frame.ts'
import type { FrameMatte } from '#engine/video/refine-frame.ts'
import { createVideoMatting } from '#engine/video/video-matte.ts'
import type { Inspection, ToolEngine } from '../tool.ts'
import { previewLimits, type VideoBackgroundRemovalInputs, type VideoBackgroundRemovalParams } from './contract.ts'

/** Share of a frame that has to be a person somewhere in the video; less is a mistake of the model. */
const leastSubject = 0.002
/** Where a check looks, as shares of the duration, and at which size. */
const checked = { places: [0.02, 0.35, 0.7], side: 640 }
const posterSide = 640
/** Brightness, 16 to 235, of the brighter half of a frame below which it was too dark. */
const darkest = 60

/** Video background removal: every frame is cut out as it streams by; nothing is kept for another rendering. */
export const videoBackgroundRemovalEngine: ToolEngine<VideoBackgroundRemovalParams, VideoBackgroundRemovalInputs> = {
  async inspect({ inputs }, host) {
    const video = sourceOf(inputs.video)
    const frames = await host.videoFrames(
      video,
      checked.places.map((place) => place * video.seconds),
      checked.side,
    )
    let largest = 0
    for (const frame of frames) {
      const whole = { x: 0, y: 0, width: frame.width, height: frame.height }
      largest = Math.max(largest, share(await host.personMask(framePart(frame, whole, 256, 256)), 0.5))
    }
    const nobody = largest < leastSubject
    const dark = frames.length > 0 && frames.every(isDark)
    const small = frames.some(({ width, height }) => Math.max(width, height) < 320)
    return {
      warnings: [...(dark ? ['too_dark' as const] : []), ...(small ? ['low_resolution' as const] : [])],
      problems: nobody ? [{ path: 'video', code: 'engine.no_subject' }] : [],
      facts: {},
    } satisfies Inspection
  },

  async render({ inputs, params }, _, host) {
    const video = sourceOf(inputs.video)
    const { preview, background } = params
    const length = preview ? Math.min(previewLimits.seconds, video.seconds) : video.seconds
    const matting = createVideoMatting(host)
    const ground = backgroundMaker(params, inputs.background[0], host)
    let poster: Picture | undefined
    host.progress('detecting', 0)
    const result = await host.convertVideo(video, {
      format: background.type === 'transparent' ? 'webm' : 'mp4',
      alpha: background.type === 'transparent',
      ...(preview && { until: previewLimits.seconds, maxSide: previewLimits.side }),
      async change(frame, seconds) {
        const matte = await matting.next(frame)
        const behind = await ground(frame, matte)
        const changed = behind ? placeOver(frame, matte, behind) : cutOutFrame(frame, matte)
        poster ??= seconds >= Math.min(1, length / 3) ? frameToPicture(changed, posterSide) : undefined
        host.progress('generating', Math.min(1, seconds / Math.max(length, 0.1)))
        return changed
      },
    })
    if (matting.largest() < leastSubject) throw new EngineError('engine.no_subject')
    const { file, contentType, extension, width, height, frames, soundLost } = result
    const seconds = Math.round(result.seconds * 1000) / 1000
    return {
      outputs: [{ file, contentType, extension, width, height, seconds, ...(poster && { poster }) }],
      warnings: soundLost ? ['sound_lost'] : [],
      facts: { frames, seconds, preview },
    }
  },
}

function sourceOf([video]: VideoFile[]): VideoFile {
  if (!video) throw new EngineError('upload.missing')
  return video
}

function isDark({ y }: Frame): boolean {
  const counts = new Uint32Array(256)
  for (let i = 0; i < y.length; i += 7) counts[y[i] as number] = (counts[y[i] as number] as number) + 1
  let left = y.length / 7 / 4
  let level = 255
  while (level > 0 && left > 0) left -= counts[level--] as number
  return level < darkest
}

/** What stands behind each frame; undefined for transparency. Plain colours and pictures are made once. */
function backgroundMaker(
  { background }: VideoBackgroundRemovalParams,
  own: Picture | undefined,
  host: EngineHost,
): (frame: Frame, matte: FrameMatte) => Promise<Frame | undefined> {
  let fixed: Frame | undefined
  return async (frame, matte) => {
    if (background.type === 'transparent') return undefined
    if (background.type === 'blur') return blurredBackground(frame, matte)
    if (fixed?.width === frame.width && fixed.height === frame.height) return fixed
    if (background.type === 'color') fixed = plainFrame(frame, background.color)
    else if (own) fixed = pictureToFrame(await cover(flatten(own, 255, 255, 255), frame, host), frame.matrix)
    else throw new EngineError('upload.missing')
    return fixed
  }
}

function plainFrame({ width, height, matrix }: Frame, colour: string): Frame {
  const value = Number.parseInt(colour.slice(1), 16)
  const [y, u, v] = toYuv(value >> 16, (value >> 8) & 255, value & 255, matrix)
  const frame = createFrame(width, height, matrix)
  frame.y.fill(Math.round(y))
  frame.u.fill(Math.round(u))
  frame.v.fill(Math.round(v))
  return frame
}

/** Scaled to cover the frame, what overhangs cut off evenly. */
function cover(picture: Picture, { width, height }: Frame, host: EngineHost): Promise<Picture> {
  const scale = Math.max(width / picture.width, height / picture.height)
  const part = { width: Math.min(picture.width, width / scale), height: Math.min(picture.height, height / scale) }
  const box = clipBox({ x: (picture.width - part.width) / 2, y: (picture.height - part.height) / 2, ...part }, picture)
  return host.resize(box ? cropPicture(picture, box) : picture, width, height)
}
