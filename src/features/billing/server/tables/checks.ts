import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'

export const billingChecks = pgTable('billing_checks', {
  check: text().primaryKey(),
  startedAt: timestamptz().notNull(),
  finishedAt: timestamptz(),
  /** Set while the last run ended with an error. */
  failedAt: timestamptz(),
  error: text(),
  position: jsonb().$type<Record<string, unknown>>(),
})

/** Resolved once no longer found by the reconciliation. */
export const differences = pgTable(
  'billing_differences',
  {
    /** Such as `books:account:<user>`. */
    key: text().primaryKey(),
    check: text().notNull(),
    what: text().notNull(),
    subjectId: text().notNull(),
    expected: text().notNull(),
    found: text().notNull(),
    /** Owner of the affected account, if any. */
    userId: uuid(),
    count: integer().notNull().default(1),
    firstSeenAt: timestamptz().notNull(),
    lastSeenAt: timestamptz().notNull(),
    resolvedAt: timestamptz(),
    /** Null if it was resolved automatically. */
    settledBy: uuid(),
    settlement: text(),
  },
  (table) => [
    index('open_differences').on(table.check).where(sql`${table.resolvedAt} is null`),
    index().on(table.lastSeenAt),
  ],
)

/** Each expiry is announced once. */
export const expiryReminders = pgTable('expiry_reminders', {
  /** `grant:<id>`, `unlimited:<user>:<end>` or `order:<id>` */
  key: text().primaryKey(),
  userId: uuid()
    .notNull()
    .references(() => users.id),
  createdAt: timestamptz().notNull(),
})
