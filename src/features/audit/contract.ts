import { type } from 'arktype'
import { pageSize } from '#contract/paging.ts'

/** What an entry is about, by its kind and id, e.g. an account, an order, a tool. */
export interface AuditSubject {
  kind: string
  id: string
}

const id = type('1 <= string <= 100')

/** GET /api/admin/audit, the newest first; `action` also takes the part before its dot: `account`. */
export const listAuditInput = /* @__PURE__ */ type({
  'actor?': 'string.uuid',
  'action?': /^[a-z_]+(\.[a-z_]+)?$/,
  'subjectKind?': /^[a-z_]{1,40}$/,
  'subjectId?': id,
  /** Moments, ISO 8601: from the first (included) to the second (excluded). */
  'from?': 'string.date.iso.parse',
  'to?': 'string.date.iso.parse',
  'cursor?': /^\d{1,15}$/,
  'limit?': pageSize,
})

export const auditEntrySchema = /* @__PURE__ */ type({
  id: 'number',
  /** The account of who did it; null for the server itself. */
  actorId: 'string | null',
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
