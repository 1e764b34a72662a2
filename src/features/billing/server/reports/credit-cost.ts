import { type SQL, sql } from 'drizzle-orm'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { receivedIdr } from '../orders/money-of.ts'
import { orders } from '../tables/orders.ts'
import { originOf } from './liability.ts'

/**
 * Rupiah that a credit of a lot was bought for, null where nothing was paid. What goes back later
 * changes nothing: the report of revenue tells it on its day.
 */
export const creditCostIdr = (lot: SQL): SQL => sql`(
  select ${receivedIdr}::float8 / greatest(coalesce(${orders.packageCredits}, 0) + ${orders.voucherCredits}, 1)
  from ${originOf(lot)} origin
    join ${ledgerEntries} bought on bought.id = origin.entry and bought.kind in ('purchase', 'voucher')
    join ${orders} on ${orders.id} = bought.subject_id)`
