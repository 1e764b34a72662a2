import type { Box, ImageFormat, Stroke } from '#contract/media.ts'
import type { PlatformId } from '#contract/platforms.ts'
import { type Logo, logoInput, logoProblems } from '#tools/contract/logo.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

type Background =
  | { type: 'transparent' }
  | { type: 'color'; color: string }
  | { type: 'blur' | 'lens' }
  | { type: 'image' }

/** The largest room around a subject that a result is cropped to. */
export const maxMargin = 0.5

export interface BackgroundRemovalParams {
  /** What to keep: decided from the picture, people, or the most salient thing. */
  subject: 'auto' | 'person' | 'object'
  /** Where the subject is, in pixels of the upright input; whatever lies outside goes. */
  box?: Box
  background: Background
  format: ImageFormat
  /** Crop to the subject … */
  crop: boolean
  /** … with this margin, as a share of the longer side of the subject's box, 0 to 0.5. */
  margin: number
  /**
   * The photograph's own shape; one with the subject in its middle, with `margin` around it; that
   * of a platform, in its pixels and bytes, and for a sticker as WebP with a white border.
   */
  shape: 'own' | '1:1' | '4:5' | PlatformId
  /** Soft shadow on the ground below the subject. */
  shadow: boolean
  /**
   * What stays and what goes where the tool was wrong, in pixels of the upright input; later
   * strokes count more.
   */
  strokes: readonly Stroke[]
  /** How soft the edge is, 0 as it was found to 1. */
  softness: number
  /** The input `logo` on the result. */
  logo: Logo | null
}

const inputs = {
  picture: onePicture,
  background: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.background-removal.background', message: 'Latar baru' },
    min: 0,
    max: 1,
  },
  logo: logoInput,
} as const satisfies InputSpecs
export type BackgroundRemovalInputs = typeof inputs

const tasks = { matte: 'subjectMatte', depth: 'depth' } as const satisfies TaskSpecs
export type BackgroundRemovalTasks = typeof tasks

/**
 * Background removal for pictures. With `background.type` = `image` the new background comes as the
 * input `background`.
 */
export const backgroundRemoval: ToolDefinition<
  BackgroundRemovalParams,
  BackgroundRemovalInputs,
  'background-removal',
  BackgroundRemovalTasks
> = {
  id: 'background-removal',
  route: '/ai-background-removal',
  label: /*i18n*/ { id: 'tool.background-removal', message: 'Hapus Latar' },
  inputs,
  defaults: {
    subject: 'auto',
    background: { type: 'transparent' },
    format: 'png',
    crop: false,
    margin: 0.05,
    shape: 'own',
    shadow: false,
    strokes: [],
    softness: 0,
    logo: null,
  },
  renderParams: ['background', 'format', 'crop', 'margin', 'shape', 'shadow', 'strokes', 'softness', 'logo'],
  pictureParams: ['strokes'],
  renderInputs: ['background', 'logo'],
  batch: { input: 'picture', max: 20 },
  tasks,
  checksPhotos: tasks.matte,
  problems({ background, box, logo }, { inputs: { picture, background: own, logo: logos }, photoCheck }) {
    const [source] = picture
    return [
      ...(box ? [] : (photoCheck?.problems ?? [])),
      ...(background.type === 'image' && own.length === 0 ? [{ path: 'background', code: 'upload.missing' }] : []),
      ...(box && source && (box.x + box.width > source.width || box.y + box.height > source.height)
        ? [{ path: 'box', code: 'box.outside' }]
        : []),
      ...logoProblems(logo, logos),
    ]
  },
  price: (unit) => unit,
  timeLimit: () => 60,
  defaultUnitPrice: 5,
}
