import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'
import type { SecurityEventKind } from '#shared/security-event.ts'

/** Append-only: a trigger rejects everything except erasing a reason. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null: the server itself. Not a foreign key, since entries outlive accounts. */
    actorId: uuid(),
    action: text().notNull(),
    subjectKind: text().notNull(),
    subjectId: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    reason: text(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [
    index().on(table.subjectId, table.subjectKind, table.id),
    index().on(table.actorId, table.id),
    index().on(table.action, table.id),
    // For prefix searches in any collation.
    index('audit_by_action').on(table.action.op('text_pattern_ops'), table.id),
  ],
)

/** Without contents; kept for half a year. */
export const securityEvents = pgTable(
  'security_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().$type<SecurityEventKind>().notNull(),
    /** Null if the user is unknown or deleted. */
    userId: uuid(),
    sessionId: uuid(),
    /** Network of the request, not the address. */
    addressClass: text().notNull(),
    /** Such as `password`, a route or an error code. Never user input. */
    detail: text(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [
    index().on(table.userId, table.id),
    // Serves the timeline of an account.
    index().on(table.userId, table.createdAt),
    index().on(table.kind, table.id),
    index().on(table.createdAt),
    // Taken out when the account is deleted.
    index('account_readings').on(table.detail).where(sql`${table.kind} = 'account_read'`),
  ],
)
