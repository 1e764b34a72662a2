import type * as schemas from './schemas.ts'

export interface AuditSubject {
  kind: string
  id: string
}

export type AuditEntryView = typeof schemas.auditEntrySchema.infer

export type SecurityEventView = typeof schemas.securityEventSchema.infer
