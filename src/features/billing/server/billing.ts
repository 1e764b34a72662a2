import { type SQL, sql } from 'drizzle-orm'
import { creditLots } from '#features/credits/server/table.ts'
import { receivedIdr } from './orders/payment-summary.ts'
import { currentRate } from './prices/packages.ts'
import { closeRevenueDays } from './reports/revenue-by-day.ts'
import { orders } from './tables/orders.ts'

/**
 * Null if nothing was paid. Later refunds change nothing: the revenue report has them on their day.
 */
const creditCostIdr = (lot: SQL): SQL => sql`(
  select ${receivedIdr}::float8 / greatest(coalesce(${orders.packageCredits}, 0) + ${orders.voucherCredits}, 1)
  from ${creditLots} bought join ${orders} on ${orders.id} = bought.order_id where bought.id = ${lot})`

export const billing = { closeRevenueDays, creditCostIdr, currentRate }
