import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { strokesSchema } from '#tools/contract/stroke-schema.ts'
import { maxMargin, maxSeed, objectRemoval } from './definition.ts'

export const objectRemovalContract = defineTool(
  objectRemoval,
  type({
    '+': 'reject',
    strokes: strokesSchema,
    margin: `0 <= number <= ${maxMargin} = 0.004` as const,
    seed: `1 <= number.integer <= ${maxSeed} = 1` as const,
    format: "'png' | 'webp' | 'jpeg' = 'png'",
  }),
)
