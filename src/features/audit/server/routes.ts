import { Hono } from 'hono'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { answers, documented } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { valid } from '#server/http/validate.ts'
import { auditPageSchema, listAuditInput } from '../contract.ts'
import { listAudit } from './list-audit.ts'

/** The audit log's part of the API; paths are relative to /api. */
export function auditRoutes(deps: Deps) {
  return new Hono<UserEnv>().get(
    '/admin/audit',
    documented('Who changed what and why, the newest first', answers(200, 'A page of the audit log', auditPageSchema)),
    account.requireUser(deps, 'admin'),
    valid('query', listAuditInput),
    async (c) => c.json(await listAudit(deps, c.req.valid('query'))),
  )
}
