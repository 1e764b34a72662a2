import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { strokesSchema } from '#tools/contract/stroke-schema.ts'
import { faceCutout, maxBorder, maxHeads } from './definition.ts'

export const faceCutoutContract = defineTool(
  faceCutout,
  type({
    '+': 'reject',
    picked: type(`(0 <= number.integer < ${maxHeads})[] <= ${maxHeads}`).default(() => []),
    crop: "'tight' | 'square' = 'tight'",
    border: `0 <= number <= ${maxBorder} = 0` as const,
    borderColor: type(/^#[0-9a-fA-F]{6}$/).default('#ffffff'),
    output: "'each' | 'sheet' = 'each'",
    format: "'png' | 'webp' = 'png'",
    strokes: strokesSchema,
  }),
)
