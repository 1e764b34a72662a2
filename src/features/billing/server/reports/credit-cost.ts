import { type SQL, sql } from 'drizzle-orm'
import { grants } from '#features/credits/server/table.ts'
import { receivedIdr } from '../orders/money-of.ts'
import { orders } from '../tables/orders.ts'

/**
 * Rupiah that a credit of a lot was bought for, null where nothing was paid. What goes back later
 * changes nothing: the report of revenue tells it on its day.
 */
export const creditCostIdr = (lot: SQL): SQL => sql`(
  select ${receivedIdr}::float8 / greatest(coalesce(${orders.packageCredits}, 0) + ${orders.voucherCredits}, 1)
  from ${grants} bought join ${orders} on ${orders.id} = bought.order_id where bought.id = ${lot})`
