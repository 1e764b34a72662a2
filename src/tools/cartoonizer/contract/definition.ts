import type { ImageFormat } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

export const cartoonStyles = ['comic', 'anime', 'ink', 'watercolour', 'pop-art', 'pencil', 'poster', 'pixel'] as const
export type CartoonStyle = (typeof cartoonStyles)[number]

/** Done by a provider; `none` uses the engine's drawing. */
const cartoonRedraws = ['none', 'film-3d', 'anime-film', 'storybook', 'clay'] as const
export type CartoonRedraw = (typeof cartoonRedraws)[number]

/** `picture` is the photograph's own, drawn in the same style. */
export type CartoonBackground =
  | { type: 'picture' }
  | { type: 'transparent' }
  | { type: 'color'; color: string }
  | { type: 'burst'; color: string }

export interface CartoonizerParams {
  /** Any value but `none` overrides style, strength and lines. */
  redraw: CartoonRedraw
  style: CartoonStyle
  /** 0 to 1. */
  strength: number
  lines: boolean
  background: CartoonBackground
  /** Adds an output for messengers: 512 × 512 pixels, WebP below 100 KB, with a white border. */
  sticker: boolean
  format: ImageFormat
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type CartoonizerInputs = typeof inputs

const tasks = { safe: 'safety', matte: 'subjectMatte', redrawn: 'cartoon' } as const satisfies TaskSpecs
export type CartoonizerTasks = typeof tasks

/** Everything but the photograph and the provider can be changed for free. */
export const cartoonizer: ToolDefinition<CartoonizerParams, CartoonizerInputs, 'cartoonizer', CartoonizerTasks> = {
  id: 'cartoonizer',
  route: '/ai-cartoonizer',
  label: /*i18n*/ { id: 'tool.cartoonizer', message: 'Kartun Selfie' },
  inputs,
  defaults: {
    redraw: 'none',
    style: 'comic',
    strength: 0.6,
    lines: true,
    background: { type: 'picture' },
    sticker: false,
    format: 'jpeg',
  },
  renderParams: ['style', 'strength', 'lines', 'background', 'sticker', 'format'],
  previewParams: { redraw: 'none' },
  batch: { input: 'picture', max: 20 },
  tasks,
  needs: ({ redraw }) => (redraw === 'none' ? [] : ['cartoon']),
  needsConsent: 'biometric',
  price: (unit, { redraw }) => (redraw === 'none' ? unit : 2 * unit),
  timeLimit: () => 60,
  defaultUnitPrice: 8,
}

const color = /^#[0-9a-fA-F]{6}$/

export const cartoonizerOptions = ({ type }: SchemaParts) =>
  type({
    '+': 'reject',
    redraw: type.enumerated(...cartoonRedraws).default('none'),
    style: type.enumerated(...cartoonStyles).default('comic'),
    strength: '0 <= number <= 1 = 0.6',
    lines: 'boolean = true',
    background: type({ '+': 'reject', type: "'picture' | 'transparent'" })
      .or({ '+': 'reject', type: "'color' | 'burst'", color })
      .default(() => ({ type: 'picture' as const })),
    sticker: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  })
