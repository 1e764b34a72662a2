import { sql } from 'drizzle-orm'
import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
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

const idr = () => bigint({ mode: 'number' }).notNull()

/**
 * Closed days in western Indonesian time: orders on the day of payment, refunds on the day they
 * were sent. Every closed day has a row with empty names. A payment for an order of a closed day
 * recounts that day in the same transaction.
 */
export const dailyRevenue = pgTable(
  'daily_revenue',
  {
    day: date().notNull(),
    /** Empty for orders without a method, a package or a voucher. */
    method: text().notNull(),
    package: text().notNull(),
    voucher: text().notNull(),
    orders: integer().notNull(),
    chargedIdr: idr(),
    receivedIdr: idr(),
    refunds: integer().notNull(),
    refundedIdr: idr(),
  },
  (table) => [primaryKey({ columns: [table.day, table.method, table.package, table.voucher] })],
)

/** Includes the price at which the credits had been bought. */
export const dailyGenerationCosts = pgTable(
  'daily_run_costs',
  {
    day: date().notNull(),
    tool: text().notNull(),
    provider: text().notNull(),
    generations: integer('runs').notNull(),
    costUnknown: integer('untold').notNull(),
    usd: doublePrecision().notNull(),
    credits: bigint({ mode: 'number' }).notNull(),
    earnedIdr: doublePrecision().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.tool, table.provider] })],
)
