import { isoDateTime, type } from '#shared/schema.ts'
import { whole } from '#tools/contract/schemas.ts'
import { linkPasswordMax, linkPasswordMin, maxSharedDays } from './rules.ts'

export const shareInput = type({
  '+': 'reject',
  generationId: 'string.uuid',
  position: type('0 <= number.integer <= 1000').describe('index of the output'),
  days: `1 <= number.integer <= ${maxSharedDays}`,
  withOriginal: 'boolean',
  password: type(`${linkPasswordMin} <= string <= ${linkPasswordMax}`).or('null'),
})
export type ShareInput = typeof shareInput.infer

export const sharedLink = type({
  id: 'string',
  path: type('string').describe("path of the tool's page"),
  generationId: 'string',
  position: whole,
  tool: 'string',
  thumbnailUrl: 'string | null',
  withOriginal: 'boolean',
  hasPassword: 'boolean',
  openings: type(whole).describe('number of opens, counted once a day per network address'),
  createdAt: isoDateTime,
  expiresAt: isoDateTime,
})
export type SharedLink = typeof sharedLink.infer
export const sharedLinkList = type({ items: sharedLink.array() })

export const openInput = type({ '+': 'reject', password: type(`string <= ${linkPasswordMax}`).or('null') })

const picture = type({
  url: type('string').describe('signed; expires if the link has a password'),
  contentType: 'string',
  width: whole,
  height: whole,
})
/** Reveals nothing about its owner. */
export const sharedResult = type({
  tool: 'string',
  result: picture,
  original: picture.or('null'),
  place: type({ x: 'number', y: 'number', scale: 'number', angle: 'number' })
    .or('null')
    .describe("position of the original's pixels in the result; null if unknown"),
  expiresAt: isoDateTime,
})
export type SharedResult = typeof sharedResult.infer
