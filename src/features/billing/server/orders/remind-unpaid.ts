import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { push } from '#features/push/server/push.ts'
import { transact } from '#server/db/transact.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { expiryReminders } from '../tables/checks.ts'
import { isOpen, orders } from '../tables/orders.ts'

/**
 * Minutes before the expiry of orders with a total of at least `leastHours`, long enough to forget.
 */
const minutesLeft = 120
const leastHours = 4

/** Once per order. */
export async function remindOfUnpaid({ db, clock }: BillingDeps): Promise<void> {
  const now = clock()
  const ending = await db
    .select({ id: orders.id, userId: orders.userId })
    .from(orders)
    .where(
      and(
        isOpen(orders),
        eq(orders.status, orderStatus.unpaid),
        gt(orders.expiresAt, now),
        lte(orders.expiresAt, new Date(now.getTime() + minutesLeft * 60_000)),
        sql`${orders.expiresAt} - ${orders.createdAt} >= make_interval(hours => ${leastHours})`,
        sql`not exists (select from ${expiryReminders} where key = 'order:' || ${orders.id})`,
      ),
    )
  for (const { id, userId } of ending) {
    await transact(db, async (tx) => {
      const row = { key: `order:${id}`, userId, createdAt: now }
      const fresh = await tx.insert(expiryReminders).values(row).onConflictDoNothing().returning()
      if (fresh.length > 0) await push.enqueue(tx, { kind: 'order_ending', userId, subjectId: id, now })
    })
  }
}
