import { type } from '#contract/schema.ts'
import { strokesSchema } from '#contract/stroke-schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { objectRemoval } from './definition.ts'

export const objectRemovalContract = defineTool(
  objectRemoval,
  type({
    '+': 'reject',
    strokes: strokesSchema,
    margin: '0 <= number <= 0.03 = 0.004',
    seed: '1 <= number.integer <= 1000 = 1',
    format: "'png' | 'webp' | 'jpeg' = 'png'",
  }),
)
