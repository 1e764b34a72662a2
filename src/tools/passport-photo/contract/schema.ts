import { type } from '#contract/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { papers, passportPhoto } from './definition.ts'

/** Shares of the photo's height; what framing can do nothing with is refused. */
const range = (min: number, max: number) => {
  const limit = `${min} <= number <= ${max}` as const
  return type({ '+': 'reject', min: limit, max: limit })
}

const anyUnit = {
  '+': 'reject',
  dpi: '72 <= number.integer <= 600',
  head: range(0.2, 0.9),
  eyes: range(0.3, 0.85),
  'kilobytes?': { '+': 'reject', 'min?': '1 <= number <= 2000', 'max?': '10 <= number <= 5000' },
} as const
const pixels = '60 <= number.integer <= 3000'

/** What a rule may say. */
export const ruleSchema = type({
  ...anyUnit,
  unit: "'mm'",
  width: '10 <= number <= 210',
  height: '10 <= number <= 297',
}).or({ ...anyUnit, unit: "'px'", width: pixels, height: pixels })

export const passportPhotoContract = defineTool(
  passportPhoto,
  type({
    '+': 'reject',
    preset: type(/^[a-z0-9-]{1,40}$/).default('4x6'),
    'rule?': ruleSchema,
    background: type({ '+': 'reject', type: "'red' | 'blue' | 'orange' | 'white'" })
      .or({ '+': 'reject', type: "'birth-year'", year: '1900 <= number.integer <= 2100', foreigner: 'boolean = false' })
      .or({ '+': 'reject', type: "'color'", color: /^#[0-9a-fA-F]{6}$/ })
      .default(() => ({ type: 'red' as const })),
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
    sheets: type({
      '+': 'reject',
      paper: type.enumerated(...papers),
      file: "'jpeg' | 'pdf' = 'jpeg'",
      photos: type({
        '+': 'reject',
        preset: /^[a-z0-9-]{1,40}$/,
        'rule?': ruleSchema,
        count: '0 <= number.integer <= 60',
      })
        .array()
        .atLeastLength(1)
        .atMostLength(6),
      cutMarks: 'boolean = true',
    })
      .array()
      .atMostLength(4)
      .default(() => []),
  }),
)
