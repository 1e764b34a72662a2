import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgEnum, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'
import { voucherKinds } from '../../rules.ts'

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

export const voucherKindType = pgEnum('voucher_kind', voucherKinds)

export const vouchers = pgTable(
  'vouchers',
  {
    id: uuid().primaryKey(),
    /** Upper case: codes are compared case-insensitively. */
    code: text().notNull().unique(),
    kind: voucherKindType().notNull(),
    /** Credits, percent or whole rupiah, depending on the kind. */
    value: integer().notNull(),
    /** Validity of its credits. */
    days: integer().notNull(),
    validFrom: timestamptz(),
    validUntil: timestamptz(),
    limitTotal: integer(),
    limitPerUser: integer(),
    /** Orders that hold it; changed together with the redemptions, under this row's lock. */
    uses: integer().notNull().default(0),
    /** Optimistic lock: of two concurrent changes by admins the later one is refused. */
    version: integer().notNull().default(1),
    active: boolean().notNull().default(true),
    createdAt: timestamptz().notNull(),
    createdBy: uuid(),
  },
  (table) => [
    check(
      'voucher_in_range',
      sql`${table.value} > 0 and (${table.kind} <> 'percent_off' or ${table.value} <= 100) and ${table.days} > 0`,
    ),
    // Serves searches by prefix in any collation.
    index('vouchers_by_code').on(table.code.op('text_pattern_ops')),
    check('voucher_code_upper', sql`${table.code} = upper(${table.code})`),
    check('voucher_uses_not_negative', sql`${table.uses} >= 0`),
  ],
)
