import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'
import { moment } from '#server/db/columns.ts'

/** How far a periodic check has come, and how its last run went; survives restarts. */
export const billingChecks = pgTable('billing_checks', {
  check: text().primaryKey(),
  startedAt: moment().notNull(),
  finishedAt: moment(),
  /** Set while the last run ended with an error. */
  failedAt: moment(),
  error: text(),
  /** Where the next run goes on. */
  position: jsonb().$type<Record<string, unknown>>(),
})

/** What the reconciliation found to disagree; an entry that is found no more is resolved. */
export const differences = pgTable(
  'billing_differences',
  {
    /** Names the disagreement, e.g. `books:account:<user>`. */
    key: text().primaryKey(),
    check: text().notNull(),
    what: text().notNull(),
    subjectId: text().notNull(),
    expected: text().notNull(),
    found: text().notNull(),
    /** Whose account is concerned, where it is somebody's. */
    userId: uuid(),
    /** How often it was seen. */
    count: integer().notNull().default(1),
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
    resolvedAt: moment(),
    /** Who said that it is taken care of, and how; null when it went by itself. */
    settledBy: uuid(),
    settlement: text(),
  },
  (table) => [
    index('open_differences').on(table.check).where(sql`${table.resolvedAt} is null`),
    index().on(table.lastSeenAt),
  ],
)

/** Reminders that were sent, so that each end is announced once. */
export const expiryReminders = pgTable('expiry_reminders', {
  /** `grant:<id>`, `unlimited:<user>:<end>` or `order:<id>` */
  key: text().primaryKey(),
  userId: uuid()
    .notNull()
    .references(() => users.id),
  createdAt: moment().notNull(),
})
