import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgEnum, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'
import { voucherKinds } from '../../rules.ts'

export const voucherKindType = pgEnum('voucher_kind', voucherKinds)

export const vouchers = pgTable(
  'vouchers',
  {
    id: uuid().primaryKey(),
    /** Upper case: codes are compared without regard to case. */
    code: text().notNull().unique(),
    kind: voucherKindType().notNull(),
    /** Credits, percent, or whole rupiah, as the kind says. */
    value: integer().notNull(),
    /** Days that its credits last. */
    days: integer().notNull(),
    validFrom: moment(),
    validUntil: moment(),
    limitTotal: integer(),
    limitPerUser: integer(),
    /** Orders that hold it; changed together with the redemptions, under this row's lock. */
    uses: integer().notNull().default(0),
    /** Counts what admins changed, so that of two at once the later one is told. */
    version: integer().notNull().default(1),
    active: boolean().notNull().default(true),
    createdAt: moment().notNull(),
    createdBy: uuid(),
  },
  (table) => [
    check(
      'voucher_in_range',
      sql`${table.value} > 0 and (${table.kind} <> 'percent_off' or ${table.value} <= 100) and ${table.days} > 0`,
    ),
    // For codes that begin with something, whatever the collation.
    index('vouchers_by_code').on(table.code.op('text_pattern_ops')),
    check('voucher_code_upper', sql`${table.code} = upper(${table.code})`),
    check('voucher_uses_not_negative', sql`${table.uses} >= 0`),
  ],
)
