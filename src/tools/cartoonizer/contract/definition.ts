import type { ImageFormat } from '#contract/media.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

export const cartoonStyles = ['comic', 'anime', 'ink', 'watercolour', 'pop-art', 'pencil', 'poster', 'pixel'] as const
export type CartoonStyle = (typeof cartoonStyles)[number]

/**
 * What stands behind the person; `picture` is the photograph's own background, drawn like the rest.
 */
export type CartoonBackground =
  | { type: 'picture' }
  | { type: 'transparent' }
  | { type: 'color'; color: string }
  | { type: 'burst'; color: string }

export interface CartoonizerParams {
  style: CartoonStyle
  /** How far it goes from the photograph, 0 to 1. */
  strength: number
  lines: boolean
  background: CartoonBackground
  /**
   * A second output for messengers: 512 × 512 pixels, WebP below 100 KB, the person with a white
   * border.
   */
  sticker: boolean
  format: ImageFormat
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type CartoonizerInputs = typeof inputs

const tasks = { matte: 'subjectMatte' } as const satisfies TaskSpecs
export type CartoonizerTasks = typeof tasks

/** Cartoon selfie: everything but the photograph may be changed afterwards for free. */
export const cartoonizer: ToolDefinition<CartoonizerParams, CartoonizerInputs, 'cartoonizer', CartoonizerTasks> = {
  id: 'cartoonizer',
  route: '/ai-cartoonizer',
  label: /*i18n*/ { id: 'tool.cartoonizer', message: 'Kartun Selfie' },
  inputs,
  defaults: {
    style: 'comic',
    strength: 0.6,
    lines: true,
    background: { type: 'picture' },
    sticker: false,
    format: 'jpeg',
  },
  renderParams: ['style', 'strength', 'lines', 'background', 'sticker', 'format'],
  batch: { input: 'picture', max: 20 },
  tasks,
  needsConsent: 'biometric',
  price: (unit) => unit,
  timeLimit: () => 60,
  defaultUnitPrice: 8,
}
