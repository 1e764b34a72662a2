import { fromMoment, untilMoment } from '#contract/moment.ts'
import { pageCursor, pageSize, timeSort } from '#contract/paging.ts'
import { reasonMax } from '#contract/reason.ts'
import { text, type } from '#contract/schema.ts'
import { securityEventKinds } from './rules.ts'

/** Why staff did something. */
export const reason = text(reasonMax)

const id = type('1 <= string <= 100')

/**
 * GET /api/admin/audit, the newest first; `action` also takes the part before its dot: `account`.
 */
export const listAuditInput = type({
  'actor?': 'string.uuid',
  /** Who did it: beginnings of words of their name and address. */
  'search?': 'string <= 320',
  'action?': /^[a-z_]+(\.[a-z_]+)?$/,
  'subjectKind?': /^[a-z_]{1,40}$/,
  'subjectId?': id,
  'from?': fromMoment,
  'to?': untilMoment,
  'sort?': timeSort,
  'cursor?': pageCursor,
  'limit?': pageSize,
})

export const auditEntrySchema = type({
  id: 'number',
  /** The account of who did it; null for the server itself. */
  actorId: 'string | null',
  /** Their name now; null for the server and for accounts that are gone. */
  actorName: 'string | null',
  /** `<what>.<what happened>`, e.g. `account.status_changed`. */
  action: 'string',
  subject: { kind: 'string', id: 'string' },
  before: 'unknown',
  after: 'unknown',
  reason: 'string | null',
  createdAt: 'string',
})

export const auditPageSchema = type({ items: auditEntrySchema.array(), nextCursor: 'string | null' })

/** GET /api/admin/security_events, the newest first */
export const listSecurityEventsInput = type({
  'user?': 'string.uuid',
  /** An id, or beginnings of words of a person's name and address. */
  'search?': 'string <= 320',
  'kind?': type.enumerated(...securityEventKinds),
  'from?': fromMoment,
  'to?': untilMoment,
  'sort?': timeSort,
  'cursor?': pageCursor,
  'limit?': pageSize,
})

export const securityEventSchema = type({
  id: 'number',
  kind: type.enumerated(...securityEventKinds),
  userId: 'string | null',
  /** Their name now. */
  userName: 'string | null',
  sessionId: 'string | null',
  /** `local`, `private`, or the network of the address, e.g. `203.0.113.0/24`. */
  addressClass: 'string',
  detail: 'string | null',
  createdAt: 'string',
})

export const securityEventPageSchema = type({
  items: securityEventSchema.array(),
  nextCursor: 'string | null',
})
