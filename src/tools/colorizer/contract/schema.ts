import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { colorizer, maxHints, maxSaturation } from './definition.ts'

const maxPoints = 4000

export const colorizerContract = defineTool(
  colorizer,
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
  }),
)
