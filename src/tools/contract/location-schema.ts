import { addedLocationPattern } from '#engine/scenes.ts'
import { type } from '#shared/schema.ts'

export const addedLocationId = type(addedLocationPattern)

/** Filled in by the server; whatever a client sends is replaced. */
export const addedLocations = type({
  '+': 'reject',
  id: addedLocationId,
  version: 'number.integer >= 1',
  name: { '+': 'reject', id: 'string <= 60', en: 'string <= 60' },
  words: type('string <= 60').array().atMostLength(100),
  kind: "'probe' | 'photo'",
  exposure: '-4 <= number <= 4',
})
  .array()
  .atMostLength(40)
