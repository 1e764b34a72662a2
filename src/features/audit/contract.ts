import { fromMoment, untilMoment } from '#contract/moment.ts'
import { pageSize } from '#contract/paging.ts'
import { type } from '#contract/schema.ts'

/** What an entry is about, by its kind and id, e.g. an account, an order, a tool. */
export interface AuditSubject {
  kind: string
  id: string
}

const id = type('1 <= string <= 100')

/**
 * GET /api/admin/audit, the newest first; `action` also takes the part before its dot: `account`.
 */
export const listAuditInput = /* @__PURE__ */ type({
  'actor?': 'string.uuid',
  'action?': /^[a-z_]+(\.[a-z_]+)?$/,
  'subjectKind?': /^[a-z_]{1,40}$/,
  'subjectId?': id,
  'from?': fromMoment,
  'to?': untilMoment,
  'cursor?': /^\d{1,15}$/,
  'limit?': pageSize,
})

export const auditEntrySchema = /* @__PURE__ */ type({
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
export type AuditEntryView = typeof auditEntrySchema.infer

export const auditPageSchema = /* @__PURE__ */ type({ items: auditEntrySchema.array(), nextCursor: 'string | null' })

/** What the security log notes. */
export const securityEventKinds = [
  'sign_in',
  'sign_in_failed',
  'role_refused',
  'staff_action',
  'password_changed',
  'password_reset',
  'email_change_requested',
  'email_changed',
  'proof_failed',
  'second_factor_on',
  'second_factor_off',
  'passkey_added',
  'passkey_removed',
  'factor_removal_requested',
  'factor_removal_cancelled',
  'factors_removed',
  'sessions_ended',
  'data_exported',
  'account_read',
  'staff_export',
] as const
export type SecurityEventKind = (typeof securityEventKinds)[number]

/** GET /api/admin/security_events, the newest first */
export const listSecurityEventsInput = /* @__PURE__ */ type({
  'user?': 'string.uuid',
  /** A whole address. */
  'email?': 'string <= 320',
  'kind?': type.enumerated(...securityEventKinds),
  'from?': fromMoment,
  'to?': untilMoment,
  'cursor?': /^\d{1,15}$/,
  'limit?': pageSize,
})

export const securityEventSchema = /* @__PURE__ */ type({
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
export type SecurityEventView = typeof securityEventSchema.infer

export const securityEventPageSchema = /* @__PURE__ */ type({
  items: securityEventSchema.array(),
  nextCursor: 'string | null',
})
