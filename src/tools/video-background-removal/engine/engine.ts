import { EngineError } from '#engine/error.ts'
import type { EngineHost, VideoConversion } from '#engine/host.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import type { Picture, VideoFile } from '#engine/image/picture.ts'
import { resizeToCover } from '#engine/image/pixels.ts'
import { shareAbove } from '#engine/image/plane.ts'
import { findFaces } from '#engine/tasks/faces/index.ts'
import { findObjects, mainObjects } from '#engine/tasks/subject-matte/index.ts'
import { findTrackedObject } from '#engine/tasks/video-matte/index.ts'
import {
  createFrame,
  type Frame,
  framePart,
  frameToPicture,
  maskSize,
  pictureToFrame,
  toYuv,
  type VideoSubject,
} from '#engine/video/frame.ts'
import { billableSeconds } from '#engine/video/video-info.ts'
import { previewLongSide } from '#shared/media.ts'
import type { PhotoCheck } from '#tools/contract/tool.ts'
import { inputOnWhite, requireInput } from '#tools/engine/inputs.ts'
import type { Generated, ToolEngine } from '#tools/engine/tool-engine.ts'
import {
  previewSeconds,
  type VideoBackground,
  type VideoBackgroundRemovalInputs,
  type VideoBackgroundRemovalParams,
  type VideoBackgroundRemovalTasks,
} from '../contract/definition.ts'

const unusable = {
  nothing: 'engine.no_subject',
  too_close: 'engine.too_close',
  unsure: 'engine.video_subject_unsure',
} as const
type Unusable = keyof typeof unusable
/** Least share of a frame covered by a person somewhere in the video; less is a detection error. */
const minSubjectShare = 0.002
/**
 * Persons covering this share are the subject; the model is rarely this certain of animals and
 * things.
 */
const personLimits = { share: 0.03, certain: 0.6 }
const minPersonConfidence = 0.4
const checkedFrames = { positions: [0.02, 0.35, 0.7], side: 640 }
const posterSide = 640
/** Brightness, 16 to 235, of the brighter half of a frame below which it was too dark. */
const minBrightness = 60

/**
 * Frames are cut out while they stream; the masks are kept, so that another background needs no new
 * search.
 */
export const videoBackgroundRemovalEngine: ToolEngine<
  VideoBackgroundRemovalParams,
  VideoBackgroundRemovalInputs,
  null,
  VideoBackgroundRemovalTasks
> = {
  async check({ inputs, params: { subject } }, host) {
    const frames = await host.videoFrames(requireInput(inputs.video), checkedFrames.positions, checkedFrames.side)
    const found = await subjectIn(frames, subject, host)
    const dark = frames.length > 0 && frames.every(isDark)
    const small = frames.some(({ width, height }) => Math.max(width, height) < 320)
    return {
      warnings: [...(dark ? ['too_dark' as const] : []), ...(small ? ['low_resolution' as const] : [])],
      problems: found in unusable ? [{ path: 'video', code: unusable[found as Unusable] }] : [],
      facts: {},
    } satisfies PhotoCheck
  },

  /** Networks find persons; a thing is tracked here. */
  async prepare({ inputs, params }, host) {
    const video = requireInput(inputs.video)
    if ((await subjectOf(video, params, host)) !== 'person') return { masks: [] }
    return { masks: [{ video, ...(params.preview && { seconds: previewSeconds }) }] }
  },

  async render({ inputs, params, done }, generated, host) {
    const video = requireInput(inputs.video)
    const { preview, background } = params
    let poster: Picture | undefined
    host.progress('detecting', 0)
    const masks = keptMasks(generated) ?? done.masks?.[0]?.masks ?? { subject: await subjectOf(video, params, host) }
    const result = await host.convertVideo(video, {
      format: background.type === 'transparent' ? 'webm' : 'mp4',
      masks,
      backdrop: backdropOf(background, inputs.background, host),
      ...(preview && { until: previewSeconds, maxSide: previewLongSide, watermarked: true }),
      onFrame(frame, seconds, whole) {
        const length = preview ? Math.min(previewSeconds, whole) : whole
        poster ??= seconds >= Math.min(1, length / 3) ? frameToPicture(frame, posterSide) : undefined
        host.progress('generating', Math.min(1, seconds / Math.max(length, 0.1)))
      },
    })
    const { file, contentType, extension, width, height, frames, soundLost, maxSubjectShare, masks: found } = result
    if (maxSubjectShare < minSubjectShare) throw new EngineError('engine.no_subject')
    const seconds = Math.round(result.seconds * 1000) / 1000
    const counted = billableSeconds(seconds, frames)
    return {
      outputs: [{ file, contentType, extension, width, height, seconds: counted, ...(poster && { poster }) }],
      warnings: soundLost ? ['sound_lost'] : [],
      facts: { frames, seconds, preview },
      ...(found && { keep: { layers: {}, videos: { masks: found }, data: null, warnings: [] } }),
    }
  },
}

function keptMasks(generated: Generated | undefined): VideoFile | undefined {
  const masks = generated?.videos?.masks
  return masks && 'path' in masks ? masks : undefined
}

async function subjectOf(
  video: VideoFile,
  { subject }: VideoBackgroundRemovalParams,
  host: EngineHost,
): Promise<VideoSubject> {
  if (subject !== 'auto') return subject
  const frames = await host.videoFrames(video, checkedFrames.positions, checkedFrames.side)
  const found = await subjectIn(frames, subject, host)
  if (found === 'too_close' || found === 'unsure') throw new EngineError(unusable[found])
  // The frames between may show a person.
  return found === 'nothing' ? 'person' : found
}

async function subjectIn(
  frames: readonly Frame[],
  wanted: VideoBackgroundRemovalParams['subject'],
  host: EngineHost,
): Promise<VideoSubject | Unusable> {
  const [first] = frames
  if (!first) return 'nothing'
  if (wanted === 'object') {
    const found = await thingIn(first, host)
    // The user has answered the question.
    return found === 'unsure' ? 'object' : found
  }
  let [largest, sure] = [0, false]
  for (const frame of frames) {
    const mask = await host.personMask(framePart(frame, wholeOf(frame), 256, 256))
    const [likely, certain] = [shareAbove(mask, 0.5), shareAbove(mask, 0.9)]
    largest = Math.max(largest, likely)
    sure ||= certain >= personLimits.share && certain >= personLimits.certain * likely
  }
  const found = largest >= minSubjectShare ? 'person' : 'nothing'
  if (sure || wanted === 'person') return found
  // In automatic mode only a recognised object is taken as the subject.
  const picture = frameToPicture(first, checkedFrames.side)
  const [detected] = mainObjects(await findObjects(picture, host), picture)
  if (detected && detected.label !== 'person') return thingIn(first, host)
  return found === 'nothing' || (await showsPerson(frames, host)) ? found : 'unsure'
}

/** True if a face or a figure is detected in one of the frames. */
async function showsPerson(frames: readonly Frame[], host: EngineHost): Promise<boolean> {
  for (const frame of frames) {
    const picture = frameToPicture(frame, checkedFrames.side)
    if ((await findFaces(picture, host)).length > 0) return true
    const objects = await findObjects(picture, host)
    if (objects.some(({ label, confidence }) => label === 'person' && confidence > minPersonConfidence)) return true
  }
  return false
}

async function thingIn(frame: Frame, host: EngineHost): Promise<'object' | Unusable> {
  const found = await findTrackedObject(frame, maskSize(frame), host)
  if (typeof found === 'string') return found
  return found.unsure ? 'unsure' : 'object'
}

function isDark({ y }: Frame): boolean {
  const counts = new Uint32Array(256)
  for (let i = 0; i < y.length; i += 7) counts[y[i] as number] = (counts[y[i] as number] as number) + 1
  let left = y.length / 7 / 4
  let level = 255
  while (level > 0 && left > 0) left -= counts[level--] as number
  return level < minBrightness
}

function backdropOf(
  background: VideoBackground,
  own: readonly Picture[],
  host: EngineHost,
): VideoConversion['backdrop'] {
  if (background.type === 'transparent') return 'none'
  if (background.type === 'blur') return 'blurred'
  return async (like) => {
    if (background.type === 'color') return plainFrame(like, background.color)
    return pictureToFrame(await resizeToCover(inputOnWhite(own), like, host.resize), like.matrix)
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
