import { text, type } from '#shared/schema.ts'
import type { OfferedLocation } from '#tools/contract/schemas.ts'
import { exposureLimits, locationTexts } from './rules.ts'

const texts = {
  name: { id: text(locationTexts.name), en: text(locationTexts.name) },
  /** Separated by commas. */
  words: { id: text(locationTexts.words), en: text(locationTexts.words) },
  licence: text(locationTexts.licence),
  source: text(locationTexts.source),
} as const

/** The file comes beside it. */
export const newLocation = type({
  ...texts,
  exposure: `${exposureLimits.min} <= number <= ${exposureLimits.max} = 0` as const,
})
export type NewLocation = typeof newLocation.infer

/** `version` is the one that was read. */
export const changedLocation = type({ ...texts, active: 'boolean', version: 'number.integer >= 1' })
export type ChangedLocation = typeof changedLocation.infer

const inBoth = { id: 'string', en: 'string' } as const
const location = {
  id: type('string').as<OfferedLocation['id']>(),
  version: type('number').describe('changes with every change'),
  name: inBoth,
  kind: type("'probe' | 'photo'").describe('a probe can be seen in any direction, a photo is a fixed view'),
  picture: type('string').describe('address of a sample'),
} as const

export const offeredLocations = type({
  items: type({ ...location, words: type('string[]').as<readonly string[]>(), exposure: 'number' }).array(),
})

export const adminLocations = type({
  items: type({
    ...location,
    words: inBoth,
    licence: 'string',
    source: 'string',
    width: 'number',
    height: 'number',
    active: 'boolean',
    at: 'string',
  }).array(),
})
export type AdminLocation = (typeof adminLocations.infer)['items'][number]
