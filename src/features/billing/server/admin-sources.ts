import { and, count, eq, type SQL, sql, sum } from 'drizzle-orm'
import { ledgerEntries } from '#features/credits/server/table.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { type Days, dayOf, isDuring, type Moments } from '#server/db/days.ts'
import { orderStatus } from '../rules.ts'
import { closeGenerationCosts } from './reports/generation-costs.ts'
import { closeRevenueDays } from './reports/revenue-by-day.ts'
import { differences } from './tables/checks.ts'
import { isOpen, orderHistory, orders } from './tables/orders.ts'
import { payments } from './tables/payments.ts'

export const openCounts = {
  ordersAwaiting: {
    count: () =>
      sql`select count(*) from ${orders} where ${orders.status} = ${orderStatus.awaiting} and ${isOpen(orders)}`,
    notice: 'money',
  },
  paymentProblems: {
    count: () =>
      sql`select count(*) from ${payments} where ${payments.problem} is not null and ${payments.settledAt} is null`,
    notice: 'money',
  },
  differences: {
    count: () => sql`select count(*) from ${differences} where ${differences.resolvedAt} is null`,
    notice: 'money',
  },
} as const

export const ordersDuring = (moments: Moments): SQL => sql`
  select ${dayOf(orders.paidAt)} as day, ${orders.userId} as user_id, ${orders.totalIdr} as total_idr
  from ${orders} where ${isDuring(orders.paidAt, moments)}`

export const ledgerDuring = (moments: Moments): SQL => sql`
  select ${dayOf(ledgerEntries.createdAt)} as day, ${ledgerEntries.kind} as kind, ${ledgerEntries.amount} as amount
  from ${ledgerEntries} where ${isDuring(ledgerEntries.createdAt, moments)}`

export const billingTimeline = (userId: string) =>
  [
    {
      kind: 'order',
      columns: {
        at: sql`${orderHistory.createdAt}`,
        what: sql`${orderHistory.to}`,
        detail: sql`${orderHistory.reason}`,
        subject: sql`${orders.id}`,
        state: sql`coalesce(${orders.packageName}, ${orders.voucherCode})`,
      },
      rows: sql`${orders} join ${orderHistory} on ${orderHistory.orderId} = ${orders.id}
        where ${orders.userId} = ${userId}`,
    },
    {
      kind: 'credits',
      columns: {
        at: sql`${ledgerEntries.createdAt}`,
        what: sql`${ledgerEntries.kind}`,
        detail: sql`${ledgerEntries.note}`,
        amount: sql`${ledgerEntries.amount}`,
      },
      rows: sql`${ledgerEntries} where ${ledgerEntries.userId} = ${userId} and ${ledgerEntries.kind} <> 'generation'`,
    },
  ] as const

export async function closeDays(tx: Transaction, days: Days): Promise<void> {
  await closeGenerationCosts(tx, days)
  await closeRevenueDays(tx, days)
}

export async function orderSummary(executor: Executor, userId: string) {
  const [bought] = await executor
    .select({ all: count(), idr: sum(orders.totalIdr) })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, orderStatus.paid)))
  return { paidOrders: bought?.all ?? 0, paidIdr: Number(bought?.idr ?? 0) }
}
