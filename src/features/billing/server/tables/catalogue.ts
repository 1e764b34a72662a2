import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'

/** The newest row of a package is in effect. `credits` is null for unlimited packages. */
export const packages = pgTable(
  'packages',
  {
    version: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: text().notNull(),
    name: text().notNull(),
    cents: integer().notNull(),
    credits: integer(),
    days: integer().notNull(),
    position: smallint().notNull(),
    active: boolean().notNull().default(true),
    createdAt: timestamptz().notNull(),
    createdBy: uuid(),
  },
  (table) => [
    index().on(table.id, table.version),
    check('package_in_range', sql`${table.cents} >= 0 and coalesce(${table.credits}, 1) > 0 and ${table.days} > 0`),
  ],
)

/** Rupiah per US dollar; the newest row is in effect, without rows the configured IDR_PER_USD. */
export const exchangeRates = pgTable(
  'exchange_rates',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    idrPerUsd: integer().notNull(),
    createdAt: timestamptz().notNull(),
    createdBy: uuid(),
  },
  (table) => [check('rate_positive', sql`${table.idrPerUsd} > 0`)],
)
