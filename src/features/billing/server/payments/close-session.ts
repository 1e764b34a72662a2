import { and, eq } from 'drizzle-orm'
import type { BillingDeps } from '../deps.ts'
import { findDriver } from '../drivers/find-driver.ts'
import {
  type PaymentDriver,
  PaymentRefused,
  type PaymentSession,
  type SessionState,
} from '../drivers/payment-driver.ts'
import { type Attempt, findAttempts, mayBePaid, storeSessionId } from '../orders/order-record.ts'
import { paymentAttempts } from '../tables/payments.ts'
import { followAttempt } from './follow-attempt.ts'

/**
 * Reads the session before closing, because it may be paid already, and after, because only that
 * shows the result. False while unknown: the attempt stays marked, and polling retries.
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

/** If the second session is paid all the same, its webhook reports that. */
export async function closeDuplicateSession(
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

/** False while any of the sessions may still be paid. */
export async function closeMarkedSessions(deps: BillingDeps, orderId: string): Promise<boolean> {
  const marked = await findAttempts(
    deps.db,
    and(eq(paymentAttempts.orderId, orderId), paymentAttempts.closing, mayBePaid),
  )
  let closed = true
  for (const attempt of marked) closed = (await closeSession(deps, attempt)) && closed
  return closed
}

async function closeAtGateway(deps: BillingDeps, attempt: Attempt): Promise<boolean> {
  const driver = findDriver(deps, attempt.driver)
  // The driver has no sessions to close, or is no longer configured.
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

/** If the response to the creation was lost, only repeating the request gives the session's id. */
async function findSession({ db }: BillingDeps, driver: PaymentDriver, attempt: Attempt): Promise<string | null> {
  if (attempt.request === null) return null
  try {
    const session = await driver.create(attempt.id, attempt.request)
    await storeSessionId(db, attempt, session)
    return session.sessionId
  } catch (error) {
    if (error instanceof PaymentRefused) return null
    throw error
  }
}

function isOver(state: SessionState | null): boolean {
  return state === null || (state.status !== 'active' && state.status !== 'pending')
}
