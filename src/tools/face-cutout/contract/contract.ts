import { type } from '#contract/schema.ts'
import { type InputSpecs, onePicture, type ToolFacts } from '#tools/contract/tool.ts'

export interface FaceCutoutParams {
  /** Which faces, as places in the check's list (the largest first); empty for all. */
  picked: readonly number[]
  /** Close around the head, or a square with the head in its middle. */
  crop: 'tight' | 'square'
  /** Width of a sticker's border as a share of the head's height, 0 for none. */
  border: number
  borderColor: string
  /** Every head as a picture of its own, or all on one sheet. */
  output: 'each' | 'sheet'
  format: 'png' | 'webp'
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type FaceCutoutInputs = typeof inputs

/**
 * Face cut-out: all heads are kept, so which of them and how they are delivered may be changed
 * afterwards for free.
 */
export const faceCutout: ToolFacts<FaceCutoutParams, FaceCutoutInputs, 'face-cutout'> = {
  id: 'face-cutout',
  route: '/ai-face-cutout',
  label: /*i18n*/ { id: 'tool.face-cutout', message: 'Potong Wajah' },
  inputs,
  defaults: { picked: [], crop: 'tight', border: 0, borderColor: '#ffffff', output: 'each', format: 'png' },
  renderParams: ['picked', 'crop', 'border', 'borderColor', 'output', 'format'],
  batch: { input: 'picture', max: 20 },
  capabilities: ['personMask', 'faces', 'things'],
  needsConsent: 'biometric',
  inspects: true,
  problems({ picked }, { inspection }) {
    const count = inspection?.faces?.length
    const outside = count !== undefined && picked.some((index) => index >= count)
    return outside ? [{ path: 'picked', code: 'form.invalid' }] : []
  },
  price: (unit) => unit,
  timeLimit: () => 60,
  defaultUnitPrice: 5,
}

/** A function, so that a bundle that does not call it carries no schema library. */
export const paramsSchema = () =>
  type({
    '+': 'reject',
    picked: type('(0 <= number.integer < 12)[] <= 12').default(() => []),
    crop: "'tight' | 'square' = 'tight'",
    border: '0 <= number <= 0.1 = 0',
    borderColor: type(/^#[0-9a-fA-F]{6}$/).default('#ffffff'),
    output: "'each' | 'sheet' = 'each'",
    format: "'png' | 'webp' = 'png'",
  })
