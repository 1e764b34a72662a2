import { and, eq, inArray } from 'drizzle-orm'
import type { BillingDeps } from './deps.ts'
import { findDriver } from './drivers/drivers.ts'
import type { Attempt } from './order-record.ts'
import { paymentAttempts } from './table.ts'

/** Takes a session that nobody should pay any more from the gateway. If that fails it ends by itself, and a payment until then is honoured. */
export async function closeSession(deps: BillingDeps, attempt: Attempt): Promise<void> {
  const { db, log } = deps
  const driver = findDriver(deps, attempt.driver)
  try {
    if (attempt.sessionId !== null && attempt.status === 'open') await driver?.cancel?.(attempt.sessionId)
  } catch (error) {
    // Still open there: it goes on being read, for it may still be paid.
    log.warn({ err: error, orderId: attempt.orderId }, 'a payment session could not be closed')
    return
  }
  await db
    .update(paymentAttempts)
    .set({ status: 'cancelled', readAt: null })
    .where(and(eq(paymentAttempts.id, attempt.id), inArray(paymentAttempts.status, ['creating', 'open'])))
}
