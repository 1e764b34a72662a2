import type { Stroke } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

export const maxHeads = 40
/** Share of the head's height. */
export const maxBorder = 0.1

export interface FaceCutoutParams {
  /** Indices of the check's list (largest first); empty for all. */
  picked: readonly number[]
  crop: 'tight' | 'square'
  /** Share of the head's height, 0 for none. */
  border: number
  borderColor: string
  output: 'each' | 'sheet'
  format: 'png' | 'webp'
  /** By head index, in pixels of the upright input. */
  strokes: readonly Stroke[]
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type FaceCutoutInputs = typeof inputs

const tasks = { safe: 'safety', parts: 'parseFace' } as const satisfies TaskSpecs
export type FaceCutoutTasks = typeof tasks

/** All heads are kept, so their selection and delivery can be changed for free. */
export const faceCutout: ToolDefinition<FaceCutoutParams, FaceCutoutInputs, 'face-cutout', FaceCutoutTasks> = {
  id: 'face-cutout',
  route: '/ai-face-cutout',
  label: /*i18n*/ { id: 'tool.face-cutout', message: 'Potong Wajah' },
  inputs,
  defaults: {
    picked: [],
    crop: 'tight',
    border: 0,
    borderColor: '#ffffff',
    output: 'each',
    format: 'png',
    strokes: [],
  },
  renderParams: ['picked', 'crop', 'border', 'borderColor', 'output', 'format', 'strokes'],
  pictureParams: ['picked', 'strokes'],
  batch: { input: 'picture', max: 20 },
  tasks,
  needsConsent: 'biometric',
  checksPhotos: true,
  problems({ picked }, { photoCheck }) {
    const count = photoCheck?.faces?.length
    const outside = count !== undefined && picked.some((index) => index >= count)
    return outside ? [{ path: 'picked', code: 'form.invalid' }] : []
  },
  price: (unit) => unit,
  timeLimit: () => 60,
  defaultUnitPrice: 5,
}

export const faceCutoutOptions = ({ type, strokes }: SchemaParts) =>
  type({
    '+': 'reject',
    picked: type(`(0 <= number.integer < ${maxHeads})[] <= ${maxHeads}`).default(() => []),
    crop: "'tight' | 'square' = 'tight'",
    border: `0 <= number <= ${maxBorder} = 0` as const,
    borderColor: type(/^#[0-9a-fA-F]{6}$/).default('#ffffff'),
    output: "'each' | 'sheet' = 'each'",
    format: "'png' | 'webp' = 'png'",
    strokes,
  })
