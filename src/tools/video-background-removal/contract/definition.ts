import type { SchemaParts } from '#tools/contract/define.ts'
import type { InputSpecs, TaskSpecs, ToolDefinition } from '#tools/contract/tool.ts'

export const previewSeconds = 3

export type VideoBackground =
  | { type: 'transparent' }
  | { type: 'color'; color: string }
  | { type: 'blur' }
  | { type: 'image' }

export interface VideoBackgroundRemovalParams {
  /** `auto` decides from the video; an object is the most salient thing. */
  subject: 'auto' | 'person' | 'object'
  /** Transparent makes a WebM with alpha, everything else an MP4. */
  background: VideoBackground
  /** Only the first seconds at reduced size. */
  preview: boolean
}

const inputs = {
  video: {
    kind: 'video',
    label: /*i18n*/ { id: 'input.video-background-removal.video', message: 'Video' },
    min: 1,
    max: 1,
  },
  background: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.video-background-removal.background', message: 'Latar baru' },
    min: 0,
    max: 1,
  },
} as const satisfies InputSpecs
export type VideoBackgroundRemovalInputs = typeof inputs

const tasks = { masks: 'videoMatte' } as const satisfies TaskSpecs
export type VideoBackgroundRemovalTasks = typeof tasks

/** Fewest charged seconds. */
export const minChargedSeconds = 5

/** With `background.type` = `image` the new background is the input `background`. */
export const videoBackgroundRemoval: ToolDefinition<
  VideoBackgroundRemovalParams,
  VideoBackgroundRemovalInputs,
  'video-background-removal',
  VideoBackgroundRemovalTasks
> = {
  id: 'video-background-removal',
  route: '/ai-video-background-removal',
  label: /*i18n*/ { id: 'tool.video-background-removal', message: 'Hapus Latar Video' },
  inputs,
  // White by default: an MP4 plays everywhere, a transparent WebM in few apps.
  defaults: { subject: 'auto', background: { type: 'color', color: '#ffffff' }, preview: false },
  renderParams: ['background'],
  renderInputs: ['background'],
  tasks,
  checksPhotos: true,
  problems({ background }, { inputs: { background: own } }) {
    return background.type === 'image' && own.length === 0 ? [{ path: 'background', code: 'upload.missing' }] : []
  },
  price: (unit, { preview }, { inputs: { video } }) => (preview ? 0 : unit * chargedSeconds(video[0]?.seconds ?? 0)),
  // A slow machine takes ten times the video's length, at twice the usual frame rate.
  timeLimit: ({ inputs: { video } }) => 120 + 30 * Math.ceil(video[0]?.seconds ?? 60),
  defaultUnitPrice: 3,
}

/** Containers round durations, so a thousandth more does not count. */
function chargedSeconds(seconds: number): number {
  return Math.max(minChargedSeconds, Math.ceil(seconds - 0.001))
}

export const videoBackgroundRemovalOptions = ({ type }: SchemaParts) =>
  type({
    '+': 'reject',
    subject: "'auto' | 'person' | 'object' = 'auto'",
    background: type({ '+': 'reject', type: "'transparent' | 'blur' | 'image'" })
      .or({ '+': 'reject', type: "'color'", color: /^#[0-9a-fA-F]{6}$/ })
      .default(() => videoBackgroundRemoval.defaults.background),
    preview: 'boolean = false',
  })
