import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { cartoonizer, cartoonRedraws, cartoonStyles } from './definition.ts'

const color = /^#[0-9a-fA-F]{6}$/

export const cartoonizerContract = defineTool(
  cartoonizer,
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
  }),
)
