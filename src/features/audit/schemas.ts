import { fromMoment, untilMoment } from '#shared/date-input.ts'
import { pageFields, timeSort } from '#shared/paging.ts'
import { type } from '#shared/schema.ts'
import { securityEventKinds } from '#shared/security-event.ts'

const id = type('1 <= string <= 100')

/** `action` also accepts the part before its dot, such as `account`. */
export const listAuditInput = type({
  'actor?': 'string.uuid',
  /** Prefixes of words in the actor's name and address. */
  'search?': 'string <= 320',
  'action?': /^[a-z_]+(\.[a-z_]+)?$/,
  'subjectKind?': /^[a-z_]{1,40}$/,
  'subjectId?': id,
  'from?': fromMoment,
  'to?': untilMoment,
  'sort?': timeSort,
  ...pageFields,
})

export const auditEntrySchema = type({
  id: 'number',
  /** Null for the server itself. */
  actorId: 'string | null',
  /** Current name; null for the server and deleted accounts. */
  actorName: 'string | null',
  /** `<subject>.<event>`, such as `account.status_changed`. */
  action: 'string',
  subject: { kind: 'string', id: 'string' },
  before: 'unknown',
  after: 'unknown',
  reason: 'string | null',
  createdAt: 'string',
})
export type AuditEntryView = typeof auditEntrySchema.infer

export const auditPageSchema = type({ items: auditEntrySchema.array(), nextCursor: 'string | null' })

export const listSecurityEventsInput = type({
  'user?': 'string.uuid',
  'search?': 'string <= 320',
  'kind?': type.enumerated(...securityEventKinds),
  'from?': fromMoment,
  'to?': untilMoment,
  'sort?': timeSort,
  ...pageFields,
})

export const securityEventSchema = type({
  id: 'number',
  kind: type.enumerated(...securityEventKinds),
  userId: 'string | null',
  /** Current name. */
  userName: 'string | null',
  sessionId: 'string | null',
  /** `local`, `private`, or the address's network, such as `203.0.113.0/24`. */
  addressClass: 'string',
  detail: 'string | null',
  createdAt: 'string',
})
export type SecurityEventView = typeof securityEventSchema.infer

export const securityEventPageSchema = type({
  items: securityEventSchema.array(),
  nextCursor: 'string | null',
})

export interface AuditSubject {
  kind: string
  id: string
}
