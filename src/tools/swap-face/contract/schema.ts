import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { maxPairs, swapFaceTool } from './definition.ts'

export const swapFaceContract = defineTool(
  swapFaceTool,
  type({
    '+': 'reject',
    pairs: type({ '+': 'reject', source: '0 <= number.integer <= 119', target: '0 <= number.integer <= 19' })
      .array()
      .atMostLength(maxPairs)
      .default(() => []),
    consent: 'boolean = false',
    keepGlasses: type('boolean')
      .describe('keep the glasses of the target face; false removes them, for a closer likeness to the source')
      .default(true),
    mark: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  }),
)
