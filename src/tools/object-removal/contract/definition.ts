import type { ImageFormat, Stroke } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

/** Share of the picture's longer side. */
export const maxMargin = 0.03
export const maxSeed = 1000

export interface ObjectRemovalParams {
  /** `keep` marks, `erase` unmarks; in pixels of the upright input. */
  strokes: readonly Stroke[]
  /**
   * Growth of the marked region, as a share of the longer side, 0 to 0.03, to include thin edges.
   */
  margin: number
  /** Another number gives another fill. */
  seed: number
  format: ImageFormat
}

const inputs = {
  picture: onePicture,
  mask: {
    kind: 'plane',
    label: /*i18n*/ { id: 'input.object-removal.mask', message: 'Bagian yang dihapus' },
    min: 0,
    max: 1,
  },
} as const satisfies InputSpecs
export type ObjectRemovalInputs = typeof inputs

const tasks = { filled: 'inpaint' } as const satisfies TaskSpecs
export type ObjectRemovalTasks = typeof tasks

/** The region comes as strokes, as the input `mask` (white is removed), or both. */
export const objectRemoval: ToolDefinition<
  ObjectRemovalParams,
  ObjectRemovalInputs,
  'object-removal',
  ObjectRemovalTasks
> = {
  id: 'object-removal',
  route: '/ai-object-removal',
  label: /*i18n*/ { id: 'tool.object-removal', message: 'Hapus Objek' },
  inputs,
  defaults: { strokes: [], margin: 0.01, seed: 1, format: 'png' },
  renderParams: ['format'],
  batch: { input: 'picture', max: 20 },
  tasks,
  checksPhotos: true,
  problems: ({ strokes }, { inputs: { mask } }) =>
    mask.length > 0 || strokes.some(({ mode }) => mode === 'keep') ? [] : [{ path: 'mask', code: 'upload.missing' }],
  price: (unit) => unit,
  timeLimit: () => 120,
  defaultUnitPrice: 5,
}

export const objectRemovalOptions = ({ type, strokes }: SchemaParts) =>
  type({
    '+': 'reject',
    strokes,
    margin: `0 <= number <= ${maxMargin} = 0.01` as const,
    seed: `1 <= number.integer <= ${maxSeed} = 1` as const,
    format: "'png' | 'webp' | 'jpeg' = 'png'",
  })
