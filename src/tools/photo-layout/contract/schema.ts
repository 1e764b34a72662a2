import { platformIds } from '#engine/platforms.ts'
import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { logoSchema } from '#tools/contract/logo-schema.ts'
import { maxGap, maxText, photoLayout, plainShapes, textPattern } from './definition.ts'

const color = /^#[0-9a-fA-F]{6}$/

export const photoLayoutContract = defineTool(
  photoLayout,
  type({
    '+': 'reject',
    template: type(/^[a-z-]{1,30}$/).default('grid'),
    shape: type.enumerated(...plainShapes, ...platformIds).default('1:1'),
    turned: 'boolean = false',
    gap: `0 <= number <= ${maxGap} = 0.02` as const,
    radius: '0 <= number <= 1 = 0.12',
    background: type({ '+': 'reject', type: "'color'", color })
      .or({ '+': 'reject', type: "'image'" })
      .default(() => ({ type: 'color' as const, color: '#ffffff' })),
    order: type('(0 <= number.integer <= 7)[] <= 8').default(() => []),
    views: type({ '+': 'reject', zoom: '1 <= number <= 4', x: '0 <= number <= 1', y: '0 <= number <= 1' })
      .or('null')
      .array()
      .atMostLength(8)
      .default(() => []),
    text: type(textPattern).and(`string <= ${maxText}`).default(''),
    textColor: type(color).default('#1f1d1a'),
    textPlace: "'top' | 'bottom' = 'bottom'",
    logo: logoSchema,
    pdf: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  }),
)
