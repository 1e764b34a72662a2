import { bigint, date, doublePrecision, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

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
