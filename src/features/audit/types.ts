import type * as schemas from './schemas.ts'

/** Subject of an entry by kind and id, such as an account, order or tool. */
export interface AuditSubject {
  kind: string
  id: string
}

export type AuditEntryView = typeof schemas.auditEntrySchema.infer

export type SecurityEventView = typeof schemas.securityEventSchema.infer
