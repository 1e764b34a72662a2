import { type } from '#shared/schema.ts'
import { defineTool } from '#tools/contract/define.ts'
import { strokesSchema } from '#tools/contract/stroke-schema.ts'
import { birthYears, outfits, papers, passportPhoto, type Range, ruleLimits } from './definition.ts'

const within = ({ min, max }: Range) => `${min} <= number <= ${max}` as const
const wholeWithin = ({ min, max }: Range) => `${min} <= number.integer <= ${max}` as const
const rangeWithin = (limits: Range) => ({ '+': 'reject', min: within(limits), max: within(limits) }) as const

const anyUnit = {
  '+': 'reject',
  dpi: wholeWithin(ruleLimits.dpi),
  head: rangeWithin(ruleLimits.head),
  eyes: rangeWithin(ruleLimits.eyes),
  'kilobytes?': {
    '+': 'reject',
    'min?': within(ruleLimits.leastKilobytes),
    'max?': within(ruleLimits.mostKilobytes),
  },
} as const

export const ruleSchema = type({
  ...anyUnit,
  unit: "'mm'",
  width: within(ruleLimits.mm.width),
  height: within(ruleLimits.mm.height),
}).or({
  ...anyUnit,
  unit: "'px'",
  width: wholeWithin(ruleLimits.px.width),
  height: wholeWithin(ruleLimits.px.height),
})

export const passportPhotoContract = defineTool(
  passportPhoto,
  type({
    '+': 'reject',
    outfit: type.enumerated(...outfits).default('own'),
    preset: type(/^[a-z0-9-]{1,40}$/).default('4x6'),
    'rule?': ruleSchema,
    background: type({ '+': 'reject', type: "'red' | 'blue' | 'orange' | 'white'" })
      .or({ '+': 'reject', type: "'birth-year'", year: wholeWithin(birthYears), foreigner: 'boolean = false' })
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
    strokes: strokesSchema,
  }),
)
