import { type } from '#contract/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { faceCutout } from './definition.ts'

export const faceCutoutContract = defineTool(
  faceCutout,
  type({
    '+': 'reject',
    picked: type('(0 <= number.integer < 12)[] <= 12').default(() => []),
    crop: "'tight' | 'square' = 'tight'",
    border: '0 <= number <= 0.1 = 0',
    borderColor: type(/^#[0-9a-fA-F]{6}$/).default('#ffffff'),
    output: "'each' | 'sheet' = 'each'",
    format: "'png' | 'webp' = 'png'",
  }),
)
