import type { Stroke } from '#contract/media.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

/** Most heads of one picture. */
export const maxHeads = 12
/** Widest border, as a share of the head's height. */
export const maxBorder = 0.1

export interface FaceCutoutParams {
  /** Chosen faces as indices of the check's list (largest first); empty for all. */
  picked: readonly number[]
  /** Tight around the head, or a square with the head centred. */
  crop: 'tight' | 'square'
  /** Width of a sticker border as a share of the head's height, 0 for none. */
  border: number
  borderColor: string
  /** Every head as a picture of its own, or all on one sheet. */
  output: 'each' | 'sheet'
  format: 'png' | 'webp'
  /** Corrections by head index, in pixels of the upright input. */
  strokes: readonly Stroke[]
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type FaceCutoutInputs = typeof inputs

const tasks = { parts: 'parseFace' } as const satisfies TaskSpecs
export type FaceCutoutTasks = typeof tasks

/** Face cut-out: all heads are kept, so their selection and delivery can be changed for free. */
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
