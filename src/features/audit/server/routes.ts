import { and, eq, gte, like, lte, type SQL, sql } from 'drizzle-orm'
import { viewEntry } from '#server/audit/audit.ts'
import { auditLog, securityEvents } from '#server/audit/table.ts'
import { isFound } from '#server/auth/accounts.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import { users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import type { Deps } from '#server/deps.ts'
import { type CsvColumns, listResponse, toWesternIndonesianTime } from '#server/http/csv.ts'
import { route } from '#server/http/route.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import {
  type AuditEntryView,
  auditPageSchema,
  listAuditInput,
  listSecurityEventsInput,
  type SecurityEventView,
  securityEventPageSchema,
} from '../schemas.ts'

interface Found {
  entry: typeof auditLog.$inferSelect
  actorName: string | null
}
const key: Key<Found> = { column: auditLog.id, type: 'bigint', of: ({ entry }) => entry.id }
const orders = {
  newest: keyset('audit:newest', 'descending', [key]),
  oldest: keyset('audit:oldest', 'ascending', [key]),
}

/** Newest first by default. */
async function listAudit(
  { db }: Pick<Deps, 'db'>,
  query: typeof listAuditInput.infer,
  page: PageRequest = query,
): Promise<Page<AuditEntryView>> {
  const { actor, search, action, subjectKind, subjectId, from, to, sort = 'newest' } = query
  const order = orders[sort]
  const isPrefix = action !== undefined && !action.includes('.')
  const { rows, nextCursor } = await order.read(
    db
      .select({ entry: auditLog, actorName: users.name })
      .from(auditLog)
      .leftJoin(users, eq(users.id, auditLog.actorId)),
    and(
      actor === undefined ? undefined : eq(auditLog.actorId, actor),
      search ? await isByMatchingActor(db, search) : undefined,
      action === undefined
        ? undefined
        : isPrefix
          ? like(auditLog.action, `${action.replaceAll('_', '\\_')}.%`)
          : eq(auditLog.action, action),
      subjectKind === undefined ? undefined : eq(auditLog.subjectKind, subjectKind),
      subjectId === undefined ? undefined : eq(auditLog.subjectId, subjectId),
      from && gte(auditLog.createdAt, from),
      to && lte(auditLog.createdAt, to),
    ),
    page,
  )
  return { items: rows.map(({ entry, actorName }) => viewEntry(entry, actorName)), nextCursor }
}

/** Actors are few, so the index is used to jump from actor to actor instead of scanning the log. */
async function isByMatchingActor(db: Executor, search: string): Promise<SQL | undefined> {
  const { actorId } = auditLog
  const found = await isFound(db, search)
  return (
    found &&
    sql`${actorId} = any(array(
      with recursive actors (id) as (
        (select ${actorId} from ${auditLog} where ${actorId} is not null order by 1 limit 1)
        union all
        select (select ${actorId} from ${auditLog} where ${actorId} > actors.id order by 1 limit 1)
        from actors where actors.id is not null
      )
      select ${users.id} from ${users} where ${users.id} in (select id from actors) and ${found}))`
  )
}

interface FoundEvent {
  event: typeof securityEvents.$inferSelect
  userName: string | null
}
const eventKey: Key<FoundEvent> = { column: securityEvents.id, type: 'bigint', of: ({ event }) => event.id }
const eventOrders = {
  newest: keyset('security:newest', 'descending', [eventKey]),
  oldest: keyset('security:oldest', 'ascending', [eventKey]),
}

/** Newest first by default. */
async function listSecurityEvents(
  { db }: Pick<Deps, 'db'>,
  query: typeof listSecurityEventsInput.infer,
  page: PageRequest = query,
): Promise<Page<SecurityEventView>> {
  const { user, search, kind, from, to, sort = 'newest' } = query
  const order = eventOrders[sort]
  const { rows, nextCursor } = await order.read(
    db
      .select({ event: securityEvents, userName: users.name })
      .from(securityEvents)
      .leftJoin(users, eq(users.id, securityEvents.userId)),
    and(
      user === undefined ? undefined : eq(securityEvents.userId, user),
      search ? await isFound(db, search, securityEvents.userId) : undefined,
      from && gte(securityEvents.createdAt, from),
      to && lte(securityEvents.createdAt, to),
      kind === undefined ? undefined : eq(securityEvents.kind, kind),
    ),
    page,
  )
  const items = rows.map(({ event, userName }) => ({ ...event, userName, createdAt: event.createdAt.toISOString() }))
  return { items, nextCursor }
}

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
  return [
    route('listAudit', 'GET /admin/audit', admin, {
      summary: 'List the audit log, newest first',
      input: { query: listAuditInput },
      output: { 200: ['A page of the audit log', auditPageSchema] },
      handler: (c) => listResponse(c, 'audit', auditColumns, (page) => listAudit(deps, c.req.valid('query'), page)),
    }),
    route('listSecurityEvents', 'GET /admin/security_events', admin, {
      summary: 'List the security log, newest first',
      input: { query: listSecurityEventsInput },
      output: { 200: ['A page of the security log', securityEventPageSchema] },
      handler: (c) =>
        listResponse(c, 'security', securityColumns, (page) => listSecurityEvents(deps, c.req.valid('query'), page)),
    }),
  ]
}
