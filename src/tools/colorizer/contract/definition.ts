import type { ImageFormat, Stroke } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import type { InputSpecs, TaskSpecs, ToolDefinition } from '#tools/contract/tool.ts'

/**
 * A dot, a line with its width, or a filled outline; alternating x and y in pixels of the upright
 * input.
 */
export interface ColorHint {
  color: string
  shape?: Stroke['shape']
  size: number
  points: readonly number[]
}

export interface ColorizerParams {
  /** Known colours, which spread up to edges. */
  hints: readonly ColorHint[]
  /** 0 grey, 1 as found, up to 2. */
  saturation: number
  /** Restores faded contrast first. Toning such as sepia is always removed. */
  restore: boolean
  /** Fills thin scratches and creases first. */
  scratches: boolean
  /** A provider recreates the whole photograph in colour. */
  full: boolean
  format: ImageFormat
}

const inputs = {
  picture: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.colorizer.picture', message: 'Foto hitam putih' },
    min: 1,
    max: 1,
  },
} as const satisfies InputSpecs
export type ColorizerInputs = typeof inputs

const tasks = { coloured: 'colorize', renewed: 'restorePhoto' } as const satisfies TaskSpecs
export type ColorizerTasks = typeof tasks

/** Three variants for one price; hints, saturation and repair can be changed for free. */
export const colorizer: ToolDefinition<ColorizerParams, ColorizerInputs, 'colorizer', ColorizerTasks> = {
  id: 'colorizer',
  route: '/ai-colorizer',
  label: /*i18n*/ { id: 'tool.colorizer', message: 'Warnai Foto' },
  inputs,
  defaults: { hints: [], saturation: 1, restore: true, scratches: false, full: false, format: 'jpeg' },
  renderParams: ['hints', 'saturation', 'restore', 'scratches', 'format'],
  previewParams: { full: false },
  batch: { input: 'picture', max: 20 },
  tasks,
  needs: ({ full }) => (full ? ['restorePhoto'] : []),
  checksPhotos: [tasks.coloured],
  solvedByProviders: ['engine.colours_unknown', 'engine.colours_faint'],
  price: (unit, { full }) => (full ? 2 * unit : unit),
  timeLimit: () => 60,
  defaultUnitPrice: 8,
}

export const maxHints = 100
export const maxSaturation = 2

const maxPoints = 4000

export const colorizerOptions = ({ type }: SchemaParts) =>
  type({
    '+': 'reject',
    hints: type({
      '+': 'reject',
      color: /^#[0-9a-fA-F]{6}$/,
      'shape?': "'line' | 'area'",
      size: '1 <= number <= 2048',
      points: type('(-16384 <= number <= 16384)[]').narrow(
        ({ length }, context) =>
          (length >= 2 && length % 2 === 0 && length <= 2 * maxPoints) ||
          context.mustBe(`x and y by turns, at most ${maxPoints} points`),
      ),
    })
      .array()
      .atMostLength(maxHints)
      .default(() => []),
    saturation: `0 <= number <= ${maxSaturation} = 1` as const,
    restore: 'boolean = true',
    scratches: 'boolean = false',
    full: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  })
