import { pageFields } from '#shared/paging.ts'
import { text, type } from '#shared/schema.ts'
import {
  customEditStatuses,
  declineReasonMax,
  descriptionMax,
  maxAttachments,
  maxMessagePictures,
  maxResults,
  noteMax,
  ratingCommentMax,
  titleMax,
} from './rules.ts'

const fileRef = type({ '+': 'reject', upload: 'string.uuid' }).or({ '+': 'reject', file: 'string.uuid' })

/** `whatsapp` in any notation, stored as `+62…` or with another country's code. */
export const createCustomEditInput = type({
  title: text(titleMax),
  whatsapp: text(40),
  email: type('string.trim').to('string.email <= 254'),
  description: text(descriptionMax),
  'attachments?': fileRef.array().atMostLength(maxAttachments),
  'generationId?': type('string.uuid').or('null').describe('the generation concerned'),
  'onlyMyFace?': type('boolean').describe("no other person's face is in the pictures; required of users below 18"),
})

export const listCustomEditsInput = type({ ...pageFields })

/** Open requests by urgency, finished ones newest first. */
export const boardInput = type({
  'status?': type.enumerated(...customEditStatuses),
  'mine?': "'true'",
  'search?': type('string.trim').to('string <= 200'),
  ...pageFields,
})

export const boardCountsSchema = type({
  open: 'number.integer >= 0',
  overdue: type('number.integer >= 0').describe('of the open requests'),
  ratings: 'number.integer >= 0',
  averageStars: type('number').or('null').describe('of all ratings, from 1 to 5; null without one'),
  ownRatings: type('number.integer >= 0').describe('of requests that you have delivered'),
  ownAverageStars: 'number | null',
})
export type BoardCounts = typeof boardCountsSchema.infer

/** `shared` with the owner by mail. */
export const noteInput = type({ text: text(noteMax), shared: 'boolean = false' })

/** The owner's message, or wishes for the second version. */
export const messageInput = type({
  text: text(noteMax),
  'pictures?': type({ '+': 'reject', upload: 'string.uuid' }).array().atMostLength(maxMessagePictures),
})

export const ratingInput = type({
  stars: type('1 <= number.integer <= 5').describe('5 is the best'),
  comment: type('string.trim').to(`string <= ${ratingCommentMax}`).default(''),
})

export const finishInput = type({ 'note?': `string <= ${noteMax}` as const })

export const resultsInput = type({
  files: type({ upload: 'string.uuid' }).array().atLeastLength(1).atMostLength(maxResults),
})

export const declineInput = type({ reason: text(declineReasonMax) })

export const file = type({
  id: 'string',
  version: type('number.integer').describe('revision of a result: 2 after a second version was requested'),
  /**
   * Signed and expiring; null for staff, who open a picture explicitly (GET
   * /api/admin/custom_edits/{id}/files/{file}).
   */
  url: 'string | null',
  thumbnailUrl: 'string | null',
  name: 'string',
  contentType: 'string',
  width: 'number',
  height: 'number',
  bytes: 'number',
})
export type CustomEditFile = typeof file.infer

/** Times are ISO 8601 in UTC. */
export const customEditSchema = type({
  id: 'string',
  status: type.enumerated(...customEditStatuses),
  title: 'string',
  whatsapp: 'string',
  email: 'string',
  description: 'string',
  generationId: 'string | null',
  attachments: file.array(),
  results: file.array(),
  reason: 'string | null',
  /** Oldest first. */
  messages: type({
    id: 'number',
    mine: 'boolean',
    author: 'string | null',
    text: 'string',
    pictures: file.array().describe('sent with the message; also among the attachments'),
    createdAt: 'string',
  }).array(),
  version: type('number.integer').describe('revision of the results in progress, or last sent'),
  canReopen: 'boolean',
  rating: type({ stars: 'number.integer', comment: 'string', ratedAt: 'string' }).or('null'),
  canRate: type('boolean').describe('delivered, and not rated or rated within the last days'),
  createdAt: 'string',
  dueAt: 'string',
  takenAt: 'string | null',
  finishedAt: 'string | null',
})
export type CustomEditView = typeof customEditSchema.infer

export const boardEditSchema = customEditSchema.and({
  user: { id: 'string', name: 'string' },
  designer: type({ id: 'string', name: 'string' }).or('null'),
  overdue: 'boolean',
})
export type BoardEditView = typeof boardEditSchema.infer

export const boardEditDetailSchema = boardEditSchema.and({
  notes: type({
    id: 'number',
    author: 'string | null',
    shared: type('boolean').describe('visible to, or written by, the owner'),
    pictures: type('number.integer').describe('sent with the message; they are among the attachments'),
    text: 'string',
    createdAt: 'string',
  }).array(),
})
export type BoardEditDetail = typeof boardEditDetailSchema.infer

declare module '#features/events/types.ts' {
  interface ServerEvents {
    /** Clients refetch their lists, staff's board too. */
    customEdits: Record<string, never>
  }
}
