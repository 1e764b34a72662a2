import { pageCursor, pageSize } from '#contract/paging.ts'
import { text, type } from '#contract/schema.ts'
import {
  customEditStatuses,
  declineReasonMax,
  descriptionMax,
  maxAttachments,
  maxResults,
  noteMax,
  titleMax,
} from './rules.ts'

const fileRef = type({ '+': 'reject', upload: 'string.uuid' }).or({ '+': 'reject', file: 'string.uuid' })

/** POST /api/custom_edits; `whatsapp` in any notation, stored as `+62…`. */
export const createCustomEditInput = type({
  title: text(titleMax),
  whatsapp: text(40),
  email: type('string.trim').to('string.email <= 254'),
  description: text(descriptionMax),
  'attachments?': fileRef.array().atMostLength(maxAttachments),
  'generationId?': type('string.uuid').or('null').describe('the generation concerned'),
})

/** GET /api/custom_edits */
export const listCustomEditsInput = type({ 'cursor?': pageCursor, 'limit?': pageSize })

/** GET /api/admin/custom_edits: all requests, open ones by urgency, finished ones newest first. */
export const boardInput = type({
  'status?': type.enumerated(...customEditStatuses),
  'mine?': "'true'",
  'search?': type('string.trim').to('string <= 200'),
  'cursor?': pageCursor,
  'limit?': pageSize,
})

/** GET /api/admin/custom_edits/counts: open work of designers. */
export const boardCountsSchema = type({
  open: 'number.integer >= 0',
  overdue: type('number.integer >= 0').describe('of the open requests'),
})

/** POST /api/admin/custom_edits/{id}/notes: `shared` with the owner by mail. */
export const noteInput = type({ text: text(noteMax), shared: 'boolean = false' })

/**
 * POST /api/custom_edits/{id}/messages and /reopen: the owner's message, or wishes for the second
 * version.
 */
export const messageInput = type({ text: text(noteMax) })

/** POST /api/admin/custom_edits/{id}/done: message to the owner with the results. */
export const finishInput = type({ 'note?': `string <= ${noteMax}` as const })

/** POST /api/admin/custom_edits/{id}/results */
export const resultsInput = type({
  files: type({ upload: 'string.uuid' }).array().atLeastLength(1).atMostLength(maxResults),
})

/** POST /api/admin/custom_edits/{id}/decline */
export const declineInput = type({ reason: text(declineReasonMax) })

export const file = type({
  id: 'string',
  version: type('number.integer').describe('revision of a result: 2 after a second version was requested'),
  /**
   * Signed and expiring; null for staff, who open a picture explicitly (GET
   * /api/admin/custom_edits/{id}/files/{file}).
   */
  url: 'string | null',
  /** Thumbnail for lists. */
  thumbnailUrl: 'string | null',
  name: 'string',
  contentType: 'string',
  width: 'number',
  height: 'number',
  bytes: 'number',
})

/** A request as its owner sees it; times are ISO 8601 in UTC. */
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
  /** Reason of a decline. */
  reason: 'string | null',
  /** Messages between owner and designers, oldest first. */
  messages: type({
    id: 'number',
    mine: 'boolean',
    author: 'string | null',
    text: 'string',
    createdAt: 'string',
  }).array(),
  version: type('number.integer').describe('revision of the results in progress, or last sent'),
  /** A second version can be requested. */
  canReopen: 'boolean',
  createdAt: 'string',
  dueAt: 'string',
  takenAt: 'string | null',
  finishedAt: 'string | null',
})

/** A request on the designers' board. */
export const boardEditSchema = customEditSchema.and({
  user: { id: 'string', name: 'string' },
  designer: type({ id: 'string', name: 'string' }).or('null'),
  overdue: 'boolean',
})

/** GET /api/admin/custom_edits/{id} */
export const boardEditDetailSchema = boardEditSchema.and({
  notes: type({
    id: 'number',
    author: 'string | null',
    shared: type('boolean').describe('visible to, or written by, the owner'),
    text: 'string',
    createdAt: 'string',
  }).array(),
})
