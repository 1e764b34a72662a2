import type * as schemas from './schemas.ts'

export type AuditEntryView = typeof schemas.auditEntrySchema.infer

export type SecurityEventView = typeof schemas.securityEventSchema.infer
