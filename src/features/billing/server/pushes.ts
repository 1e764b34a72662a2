import { and, eq } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import type { PushDefinition } from '#features/push/server/push.ts'
import { type OrderStatus, orderStatus } from '../rules.ts'
import { formatIdr } from './orders/format.ts'
import { orders } from './tables/orders.ts'

const ofOrder = (status: OrderStatus, path: string): PushDefinition => ({
  async content({ db }, { subjectId }) {
    if (subjectId === null) return null
    const [order] = await db
      .select({ amount: orders.totalIdr })
      .from(orders)
      .where(and(eq(orders.id, subjectId), eq(orders.status, status)))
    return order
      ? { path: `${path}?order=${subjectId}`, groupPath: '/billing', values: { amount: formatIdr(order.amount) } }
      : null
  },
})

const ofCredits: PushDefinition = {
  async content({ db, clock }, { userId }) {
    const { credits: left } = await credits.balance(db, userId, clock())
    return { path: '/pricing', groupPath: '/billing', values: { credits: left } }
  },
}

export const billingPushes = {
  payment_arrived: ofOrder(orderStatus.paid, '/payment-success'),
  order_ending: ofOrder(orderStatus.unpaid, '/checkout'),
  credits_low: ofCredits,
  credits_ending: ofCredits,
} satisfies Record<string, PushDefinition>
