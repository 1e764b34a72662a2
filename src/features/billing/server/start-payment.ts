import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { users } from '#features/account/server/table.ts'
import { appError } from '#server/http/app-error.ts'
import { orderStatus } from '../contract.ts'
import type { BillingDeps } from './deps.ts'
import { findDriver } from './drivers/drivers.ts'
import { type PaymentDriver, PaymentRefused, type PaymentSession } from './drivers/port.ts'
import { type Attempt, newestAttempt, type Order } from './order-record.ts'
import { orders, paymentAttempts } from './table.ts'

/** Longer than a gateway is waited for, so that a claim that is older belongs to a process that died. */
const claimSeconds = 45
/** The gateway is asked by ourselves when no word has come from it for this long. */
const firstReadSeconds = 60

/**
 * Asks the gateway for the session of an order's newest attempt, if it has none yet. The attempt is on the disk before, so whatever dies in between,
 * asking again goes on with the same reference. Does nothing where there is nothing to do or somebody else is at it.
 */
export async function startPayment(deps: BillingDeps, orderId: string): Promise<void> {
  const attempt = await newestAttempt(deps.db, orderId)
  if (attempt?.status !== 'creating') return
  const [order] = await deps.db.select().from(orders).where(eq(orders.id, orderId))
  if (order?.status !== orderStatus.unpaid) return
  if (!(await claimAttempt(deps, attempt))) return
  const driver = findDriver(deps, attempt.driver)
  try {
    if (!driver) throw new PaymentRefused('the driver is no longer configured', 404)
    const session = await openSession(deps, driver, order, attempt)
    if (!(await keepSession(deps, attempt, session, driver.tells))) await discardSession(deps, driver, attempt, session)
  } catch (error) {
    const status = error instanceof PaymentRefused ? 'failed' : 'creating'
    await deps.db.update(paymentAttempts).set({ status, claimedAt: null }).where(stillCreating(attempt))
    throw appError('payment.failed', undefined, { cause: error })
  }
}

async function claimAttempt({ db, clock }: BillingDeps, attempt: Attempt): Promise<boolean> {
  const now = clock()
  const stale = new Date(now.getTime() - claimSeconds * 1000)
  const claimed = await db
    .update(paymentAttempts)
    .set({ claimedAt: now })
    .where(and(stillCreating(attempt), or(isNull(paymentAttempts.claimedAt), lt(paymentAttempts.claimedAt, stale))))
    .returning({ id: paymentAttempts.id })
  return claimed.length > 0
}

async function openSession(
  { db }: BillingDeps,
  driver: PaymentDriver,
  order: Order,
  attempt: Attempt,
): Promise<PaymentSession> {
  const [buyer] = await db
    .select({ id: users.id, name: users.name, email: users.email, language: users.language })
    .from(users)
    .where(eq(users.id, order.userId))
  if (!buyer) throw new Error('an order without a buyer')
  return await driver.create({
    attemptId: attempt.id,
    orderId: order.id,
    amountIdr: attempt.amountIdr,
    method: attempt.method,
    expiresAt: attempt.expiresAt,
    description: order.packageName ?? order.id,
    buyer,
  })
}

async function keepSession(
  { db, clock }: BillingDeps,
  attempt: Attempt,
  session: PaymentSession,
  tells: boolean,
): Promise<boolean> {
  const kept = await db
    .update(paymentAttempts)
    .set({
      status: 'open',
      claimedAt: null,
      sessionId: session.sessionId,
      url: session.url,
      vaNumber: session.vaNumber ?? null,
      qrContent: session.qrContent ?? null,
      account: session.account ?? null,
      readAt: tells ? new Date(clock().getTime() + firstReadSeconds * 1000) : null,
    })
    .where(stillCreating(attempt))
    .returning({ id: paymentAttempts.id })
  return kept.length > 0
}

/**
 * The order was cancelled, or got another session, while the gateway was asked: nobody shall pay this one. Its name is kept all the same, so that money
 * which comes nevertheless finds its order.
 */
async function discardSession(
  { db, log }: BillingDeps,
  driver: PaymentDriver,
  attempt: Attempt,
  { sessionId }: PaymentSession,
): Promise<void> {
  await db
    .update(paymentAttempts)
    .set({ sessionId })
    .where(and(eq(paymentAttempts.id, attempt.id), isNull(paymentAttempts.sessionId)))
  await driver.cancel?.(sessionId).catch((error: unknown) => {
    log.warn({ err: error, orderId: attempt.orderId }, 'a payment session could not be closed')
  })
}

function stillCreating({ id }: Attempt) {
  return and(eq(paymentAttempts.id, id), eq(paymentAttempts.status, 'creating'))
}
