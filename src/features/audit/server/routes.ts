import { Hono } from 'hono'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, csvResponse, toWesternIndonesianTime, wantsCsv } from '#server/http/csv.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { valid } from '#server/http/validate.ts'
import {
  type AuditEntryView,
  auditPageSchema,
  listAuditInput,
  listSecurityEventsInput,
  type SecurityEventView,
  securityEventPageSchema,
} from '../schemas.ts'
import { listAudit } from './list-audit.ts'
import { listSecurityEvents } from './list-security-events.ts'

const auditColumns: CsvColumns<AuditEntryView> = {
  id: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  actor: ({ actorName, actorId }) => actorName ?? actorId,
  action: ({ action }) => action,
  subject: ({ subject }) => `${subject.kind}:${subject.id}`,
  before: ({ before }) => JSON.stringify(before),
  after: ({ after }) => JSON.stringify(after),
  reason: ({ reason }) => reason,
}

const securityColumns: CsvColumns<SecurityEventView> = {
  id: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  kind: ({ kind }) => kind,
  user: ({ userName, userId }) => userName ?? userId,
  network: ({ addressClass }) => addressClass,
  detail: ({ detail }) => detail,
}

export function auditRoutes(deps: Deps) {
  const admin = requirePermission(deps, 'control')
  return new Hono<UserEnv>()
    .get(
      '/admin/audit',
      documented('List the audit log, newest first', respondsWith(200, 'A page of the audit log', auditPageSchema)),
      admin,
      valid('query', listAuditInput),
      async (c) => {
        const query = c.req.valid('query')
        if (!wantsCsv(c)) return c.json(await listAudit(deps, query))
        return csvResponse(c, 'audit', auditColumns, (page) => listAudit(deps, query, page))
      },
    )
    .get(
      '/admin/security_events',
      documented(
        'List the security log, newest first',
        respondsWith(200, 'A page of the security log', securityEventPageSchema),
      ),
      admin,
      valid('query', listSecurityEventsInput),
      async (c) => {
        const query = c.req.valid('query')
        if (!wantsCsv(c)) return c.json(await listSecurityEvents(deps, query))
        return csvResponse(c, 'security', securityColumns, (page) => listSecurityEvents(deps, query, page))
      },
    )
}
