import { bigint, index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** What people with a role changed, and why. Append-only: a trigger refuses everything but taking a reason away. */
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
    createdAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [
    index().on(table.subjectKind, table.subjectId, table.id),
    index().on(table.actorId, table.id),
    index().on(table.action, table.id),
  ],
)
