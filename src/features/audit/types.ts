import type * as schemas from './schemas.ts'

/** What an entry is about, by its kind and id, e.g. an account, an order, a tool. */
export interface AuditSubject {
  kind: string
  id: string
}

export type AuditEntryView = typeof schemas.auditEntrySchema.infer

export type SecurityEventView = typeof schemas.securityEventSchema.infer
