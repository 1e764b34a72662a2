import { type } from '#shared/schema.ts'
import { logoLimits, logoPositions } from './logo-options.ts'

const { size, margin, opacity } = logoLimits

export const logoSchema = type({
  '+': 'reject',
  place: type.enumerated(...logoPositions),
  size: type.number.atLeast(size.min).atMost(size.max),
  margin: type.number.atLeast(margin.min).atMost(margin.max),
  opacity: type.number.atLeast(opacity.min).atMost(opacity.max),
})
  .or('null')
  .default(null)
