import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'
import type { SecurityEventKind } from '../rules.ts'

/**
 * What people with a role changed, and why. Append-only: a trigger refuses everything but taking a
 * reason away.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null: the server itself. No reference, for entries outlive accounts. */
    actorId: uuid(),
    action: text().notNull(),
    subjectKind: text().notNull(),
    subjectId: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    reason: text(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index().on(table.subjectId, table.subjectKind, table.id),
    index().on(table.actorId, table.id),
    index().on(table.action, table.id),
    // For actions that begin with something, whatever the collation.
    index('audit_by_action').on(table.action.op('text_pattern_ops'), table.id),
  ],
)

/** Who came in, who was refused and what staff did: without contents, and kept for half a year. */
export const securityEvents = pgTable(
  'security_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().$type<SecurityEventKind>().notNull(),
    /** Null where nobody is known, or is there any more. */
    userId: uuid(),
    sessionId: uuid(),
    /** The network the request came from, not the address. */
    addressClass: text().notNull(),
    /** How, e.g. `password`; a route; an error's code. Never what somebody typed. */
    detail: text(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index().on(table.userId, table.id),
    // The timeline of an account is in the order of time.
    index().on(table.userId, table.createdAt),
    index().on(table.kind, table.id),
    index().on(table.createdAt),
    // Readings of an account, which are taken out when it is deleted.
    index('account_readings').on(table.detail).where(sql`${table.kind} = 'account_read'`),
  ],
)
