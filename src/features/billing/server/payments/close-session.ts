import { and, eq } from 'drizzle-orm'
import type { BillingDeps } from '../deps.ts'
import { findDriver } from '../drivers/drivers.ts'
import { type PaymentDriver, PaymentRefused, type PaymentSession, type SessionState } from '../drivers/port.ts'
import { type Attempt, attemptsThat, mayBePaid, nameSession } from '../orders/order-record.ts'
import { paymentAttempts } from '../tables/payments.ts'
import { followAttempt } from './follow-attempt.ts'

/**
 * Makes sure that an attempt's session can no longer be paid. It is read first, because it may be
 * paid already, and read again after it was closed, because only then is it known. False while that
 * cannot be known: the attempt stays marked, and the polls go on trying.
 */
export async function closeSession(deps: BillingDeps, attempt: Attempt): Promise<boolean> {
  try {
    if (!(await closeAtGateway(deps, attempt))) return false
  } catch (error) {
    deps.log.warn({ err: error, orderId: attempt.orderId }, 'could not close a payment session')
    return false
  }
  await deps.db
    .update(paymentAttempts)
    .set({ status: 'cancelled', closing: false, readAt: null, leasedAt: null, request: null })
    .where(and(eq(paymentAttempts.id, attempt.id), mayBePaid))
  return true
}

/**
 * Closes a second session of an attempt that goes on with its first one. Should it be paid all the
 * same, its webhook says so.
 */
export async function closeSpare(
  deps: BillingDeps,
  { driver, orderId }: Pick<Attempt, 'driver' | 'orderId'>,
  { sessionId }: Pick<PaymentSession, 'sessionId'>,
): Promise<void> {
  try {
    await findDriver(deps, driver)?.cancel?.(sessionId)
  } catch (error) {
    deps.log.warn({ err: error, orderId }, 'could not close a second payment session')
  }
}

/**
 * Closes all of an order's sessions that are marked for it; false while one of them may still be
 * paid.
 */
export async function closeMarked(deps: BillingDeps, orderId: string): Promise<boolean> {
  const marked = await attemptsThat(
    deps.db,
    and(eq(paymentAttempts.orderId, orderId), paymentAttempts.closing, mayBePaid),
  )
  let closed = true
  for (const attempt of marked) closed = (await closeSession(deps, attempt)) && closed
  return closed
}

async function closeAtGateway(deps: BillingDeps, attempt: Attempt): Promise<boolean> {
  const driver = findDriver(deps, attempt.driver)
  // Where there is nothing to close, or nobody to ask any more.
  if (!driver?.cancel) return true
  const sessionId = attempt.sessionId ?? (await findSession(deps, driver, attempt))
  if (sessionId === null) return true
  const known = { ...attempt, sessionId }
  if (isOver(await followAttempt(deps, known))) return true
  await driver.cancel(sessionId).catch((error: unknown) => {
    deps.log.info({ err: error, orderId: attempt.orderId }, 'the gateway did not close a payment session')
  })
  return isOver(await followAttempt(deps, known))
}

/**
 * A session that the gateway may have made without our hearing of it has a name only when it is
 * asked for once more.
 */
async function findSession({ db }: BillingDeps, driver: PaymentDriver, attempt: Attempt): Promise<string | null> {
  if (attempt.request === null) return null
  try {
    const session = await driver.create(attempt.id, attempt.request)
    await nameSession(db, attempt, session)
    return session.sessionId
  } catch (error) {
    if (error instanceof PaymentRefused) return null
    throw error
  }
}

function isOver(state: SessionState | null): boolean {
  return state === null || (state.status !== 'active' && state.status !== 'pending')
}
