import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { addTime } from '#shared/time.ts'
import type { BillingDeps } from '../deps.ts'
import { findDriver } from '../drivers/find-driver.ts'
import type { Attempt } from '../orders/order-record.ts'
import { followAttempt } from '../payments/follow-attempt.ts'
import { gatewayRate, withinGatewayRate } from '../payments/gateway-health.ts'
import { differences } from '../tables/checks.ts'
import { orders } from '../tables/orders.ts'
import { paymentAttempts, payments } from '../tables/payments.ts'
import { type Difference, isCheckDue, recordReconciliation, runCheck } from './billing-checks.ts'

const gatewayDays = 7
const batchSize = 200
const dailySeconds = 24 * 3600

/** Once a day, however often the server starts. */
export async function reconcilePaymentsDaily(
  deps: BillingDeps,
  options: Parameters<typeof reconcilePayments>[1] = {},
): Promise<void> {
  if (await isCheckDue(deps, 'gateway', dailySeconds)) await reconcilePayments(deps, options)
}

/**
 * Compares the orders of the last days, and those that differed before, with the gateway. A payment
 * unknown to this server is applied on the way.
 */
export async function reconcilePayments(
  deps: BillingDeps,
  { signal, pace = gatewayRate }: { signal?: AbortSignal; pace?: typeof gatewayRate } = {},
): Promise<Difference[]> {
  return await runCheck(deps, 'gateway', async () => {
    const since = addTime(deps.clock(), { days: -gatewayDays })
    const found: Difference[] = []
    for (let after = ''; ; ) {
      const attempts = await attemptsAfter(deps, since, after)
      await withinGatewayRate(attempts, pace, signal, async (attempt) => {
        const difference = await compare(deps, attempt)
        if (difference) found.push({ check: 'gateway', id: attempt.orderId, ...difference })
      })
      signal?.throwIfAborted()
      if (attempts.length < batchSize) break
      after = attempts.at(-1)?.id ?? ''
    }
    await recordReconciliation(deps, 'gateway', found)
    return { position: {}, result: found }
  })
}

async function attemptsAfter(deps: BillingDeps, since: Date, after: string): Promise<Attempt[]> {
  const { db, config } = deps
  const differed = db
    .select({ id: sql`${differences.subjectId}::uuid` })
    .from(differences)
    .where(and(eq(differences.check, 'gateway'), isNull(differences.resolvedAt)))
  return await db
    .select()
    .from(paymentAttempts)
    .where(
      and(
        isNotNull(paymentAttempts.sessionId),
        // A driver that is no longer configured cannot be read.
        inArray(
          paymentAttempts.driver,
          config.payment.drivers.filter((id) => findDriver(deps, id)?.automatic),
        ),
        or(gt(paymentAttempts.createdAt, since), inArray(paymentAttempts.orderId, differed)),
        after === '' ? undefined : gt(paymentAttempts.id, after),
      ),
    )
    .orderBy(asc(paymentAttempts.id))
    .limit(batchSize)
}

async function compare(deps: BillingDeps, attempt: Attempt): Promise<Omit<Difference, 'check' | 'id'> | undefined> {
  const [known] = await deps.db
    .select({ status: orders.status, paymentId: payments.id })
    .from(orders)
    .leftJoin(payments, eq(payments.attemptId, attempt.id))
    .where(eq(orders.id, attempt.orderId))
    .limit(1)
  try {
    const state = await followAttempt(deps, attempt)
    if (!state) return { what: 'session_missing', expected: attempt.status, found: 'nothing' }
    const completed = state.status === 'completed'
    if (attempt.status === 'paid' && !completed) {
      return { what: 'not_paid_at_gateway', expected: 'completed', found: state.status }
    }
    // A mismatched payment is known too, and is stored among the payments.
    if (completed && known?.paymentId === null) {
      return { what: 'payment_missed', expected: 'paid', found: String(known.status) }
    }
    return undefined
  } catch (error) {
    deps.log.warn({ err: error, orderId: attempt.orderId }, 'could not compare a payment session')
    return { what: 'gateway_silent', expected: attempt.status, found: 'no answer' }
  }
}
