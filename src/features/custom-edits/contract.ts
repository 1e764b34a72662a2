import { pageSize } from '#contract/paging.ts'
import { type } from '#contract/schema.ts'

/** Life of a request: new → in_progress → done | declined. The last two are final. */
export const customEditStatuses = ['new', 'in_progress', 'done', 'declined'] as const
export type CustomEditStatus = (typeof customEditStatuses)[number]

/** Pictures that a request, and its result, may have. */
export const maxAttachments = 5
export const maxResults = 10

/** Days after which a result is promised at the latest. */
export const dueDays = 4
/** Days that the links in its mail work. */
export const linkDays = 30

/** Requests of one person that may be open at once. */
export const maxOpenRequests = 5
/** Requests that one person may make in a day, also when they take them back. */
export const requestsPerDay = 10

const fileRef = type({ upload: 'string.uuid' }).or({ file: 'string.uuid' })

/** POST /api/custom_edits; `whatsapp` as people write it, stored as `+62…`. */
export const createCustomEditInput = /* @__PURE__ */ type({
  title: type('string.trim').to('1 <= string <= 120'),
  whatsapp: type('string.trim').to('1 <= string <= 40'),
  email: type('string.trim').to('string.email <= 254'),
  description: type('string.trim').to('1 <= string <= 4000'),
  'attachments?': fileRef.array().atMostLength(maxAttachments),
  'generationId?': type('string.uuid').or('null').describe('the result that it is about'),
})

/** GET /api/custom_edits */
export const listCustomEditsInput = /* @__PURE__ */ type({ 'cursor?': 'string.uuid', 'limit?': pageSize })

/**
 * GET /api/admin/custom_edits: everybody's, the most urgent first while open, the newest first when
 * finished.
 */
export const boardInput = /* @__PURE__ */ type({
  'status?': type.enumerated(...customEditStatuses),
  'mine?': "'true'",
  'search?': type('string.trim').to('string <= 200'),
  'cursor?': 'string.uuid',
  'limit?': pageSize,
})

/** GET /api/admin/custom_edits/counts: what waits for a designer now. */
export const boardCountsSchema = /* @__PURE__ */ type({
  open: 'number.integer >= 0',
  overdue: type('number.integer >= 0').describe('of the open ones'),
})
export type BoardCounts = typeof boardCountsSchema.infer

/** POST /api/admin/custom_edits/{id}/notes */
export const noteInput = /* @__PURE__ */ type({ text: type('string.trim').to('1 <= string <= 4000') })

/** POST /api/admin/custom_edits/{id}/results */
export const resultsInput = /* @__PURE__ */ type({
  files: type({ upload: 'string.uuid' }).array().atLeastLength(1).atMostLength(maxResults),
})

/** POST /api/admin/custom_edits/{id}/decline */
export const declineInput = /* @__PURE__ */ type({ reason: type('string.trim').to('1 <= string <= 1000') })

const file = /* @__PURE__ */ type({
  id: 'string',
  /**
   * Signed and expiring; null for staff, who open a picture on purpose (GET
   * /api/admin/custom_edits/{id}/files/{file}).
   */
  url: 'string | null',
  name: 'string',
  contentType: 'string',
  width: 'number',
  height: 'number',
  bytes: 'number',
})
export type CustomEditFile = typeof file.infer

/** A request as its owner sees it; times are ISO 8601 in UTC. */
export const customEditSchema = /* @__PURE__ */ type({
  id: 'string',
  status: type.enumerated(...customEditStatuses),
  title: 'string',
  whatsapp: 'string',
  email: 'string',
  description: 'string',
  generationId: 'string | null',
  attachments: file.array(),
  results: file.array(),
  /** Why it was declined. */
  reason: 'string | null',
  createdAt: 'string',
  dueAt: 'string',
  takenAt: 'string | null',
  finishedAt: 'string | null',
})
export type CustomEditView = typeof customEditSchema.infer

/** A request on the designers' board. */
export const boardEditSchema = /* @__PURE__ */ customEditSchema.and({
  user: { id: 'string', name: 'string' },
  designer: type({ id: 'string', name: 'string' }).or('null'),
  overdue: 'boolean',
})
export type BoardEditView = typeof boardEditSchema.infer

/** GET /api/admin/custom_edits/{id} */
export const boardEditDetailSchema = /* @__PURE__ */ boardEditSchema.and({
  notes: type({ id: 'number', author: 'string | null', text: 'string', createdAt: 'string' }).array(),
})
export type BoardEditDetail = typeof boardEditDetailSchema.infer
