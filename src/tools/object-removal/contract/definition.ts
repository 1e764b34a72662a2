import type { ImageFormat, Stroke } from '#contract/media.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

/** The largest margin, and the last of the fillings that can be asked for. */
export const maxMargin = 0.03
export const maxSeed = 1000

export interface ObjectRemovalParams {
  /** What has to go: `keep` marks, `erase` takes marks away; in pixels of the upright input. */
  strokes: readonly Stroke[]
  /**
   * How far what is marked grows before it is filled, as a share of the picture's longer side, 0 to
   * 0.03: thin edges go too.
   */
  margin: number
  /** Another number gives another filling. */
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

/** Object removal. What has to go comes as strokes, as the input `mask` (white goes), or both. */
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
  defaults: { strokes: [], margin: 0.004, seed: 1, format: 'png' },
  renderParams: ['format'],
  batch: { input: 'picture', max: 20 },
  tasks,
  problems: ({ strokes }, { inputs: { mask } }) =>
    mask.length > 0 || strokes.some(({ mode }) => mode === 'keep') ? [] : [{ path: 'mask', code: 'upload.missing' }],
  price: (unit) => unit,
  timeLimit: () => 120,
  defaultUnitPrice: 5,
}
