import { and, eq, isNull, lt, not, or, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import { type MethodId, paymentMethods } from '../../payment-methods.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { driverFor, findDriver } from '../drivers/find-driver.ts'
import {
  type PaymentDriver,
  PaymentRefused,
  type PaymentSession,
  type PreparedRequest,
} from '../drivers/payment-driver.ts'
import {
  type Attempt,
  cancelHeldOrder,
  type HeldOrder,
  markForClosing,
  newestAttempt,
  type Order,
  storeSessionId,
} from '../orders/order-record.ts'
import { orders } from '../tables/orders.ts'
import { paymentAttempts } from '../tables/payments.ts'
import { closeDuplicateSession, closeMarkedSessions, closeSession } from './close-session.ts'
import { recordCreate, recordFailedCreate } from './gateway-health.ts'
import { resolveUnknown } from './unknown-payments.ts'

/** Throws if no configured driver accepts method and amount. */
export function resolvePaymentMethod(deps: BillingDeps, method: MethodId | null, amountIdr: number) {
  if (method === null) throw appError('form.invalid', { details: { method: 'checkout.methodRequired' } })
  const driver = driverFor(deps, method)
  const { min, max } = paymentMethods[method]
  if (!driver || amountIdr < min || amountIdr > max) throw appError('payment.method_unavailable')
  return { method, driver: driver.id }
}

/** An order with less time is not offered again. */
export const minSecondsToPay = 600
const daySeconds = 24 * 3600

/**
 * Adds an attempt, unless the newest one is still usable. The order ends when it would have ended;
 * past that it is cancelled. Only an order agreed for less than a day is extended, to the time that
 * the new method would have given from the start, at most that day: choosing methods repeatedly
 * cannot hold a price or voucher longer. An order whose bank account number would expire within
 * minutes is cancelled instead.
 */
export async function renewAttempt(
  tx: Transaction,
  deps: BillingDeps,
  order: HeldOrder,
  { method, mobileNumber }: { method: MethodId | null; mobileNumber: string | null },
): Promise<void> {
  const now = deps.clock()
  if (order.expiresAt !== null && order.expiresAt <= now) {
    await cancelHeldOrder(tx, order, { by: 'system', reason: 'expired', now })
    return
  }
  const last = await newestAttempt(tx, order.id)
  const way = resolvePaymentMethod(deps, method ?? order.method, order.totalIdr)
  const usable = last && (last.status === 'open' || last.status === 'creating') && !last.closing && last.expiresAt > now
  if (usable && last.method === way.method && last.driver === way.driver) return
  const { kind, expiresInSeconds } = paymentMethods[way.method]
  const fromNow = now.getTime() + expiresInSeconds * 1000
  const fromStart = order.createdAt.getTime() + Math.min(expiresInSeconds, daySeconds) * 1000
  const agreedUntil = order.expiresAt && Math.max(order.expiresAt.getTime(), fromStart)
  if (agreedUntil !== null && kind === 'bank' && agreedUntil - now.getTime() < minSecondsToPay * 1000) {
    await cancelHeldOrder(tx, order, { by: 'system', reason: 'expired', now })
    return
  }
  await markForClosing(tx, order.id, now)
  await tx.insert(paymentAttempts).values({
    id: uuid(),
    orderId: order.id,
    driver: way.driver,
    method: way.method,
    amountIdr: order.totalIdr,
    status: 'creating',
    createdAt: now,
    expiresAt: new Date(Math.min(fromNow, agreedUntil ?? fromNow)),
  })
  await tx
    .update(orders)
    .set({
      method: way.method,
      driver: way.driver,
      ...(agreedUntil !== null && { expiresAt: new Date(agreedUntil) }),
      ...(mobileNumber !== null && { mobileNumber }),
    })
    .where(eq(orders.id, order.id))
}

/**
 * Longer than all calls of one attempt together, so an older lease belongs to a process that died.
 */
const leaseSeconds = 90
/** Without a webhook for this long the server reads the gateway. */
const firstReadSeconds = 60

/**
 * Creates the session of the newest attempt, once every earlier session is known to be closed.
 * Attempt and request are stored before, so that a repetition after a crash sends the same request.
 * Does nothing if the session exists or another process is creating it.
 */
export async function startPayment(deps: BillingDeps, orderId: string): Promise<void> {
  const attempt = await newestAttempt(deps.db, orderId)
  if (attempt?.status !== 'creating' || attempt.closing) return
  if (!(await closeMarkedSessions(deps, orderId))) throw appError('payment.failed')
  const [order] = await deps.db.select().from(orders).where(eq(orders.id, orderId))
  if (order?.status !== orderStatus.unpaid) return
  const driver = findDriver(deps, attempt.driver)
  try {
    if (!driver) throw new PaymentRefused('the driver is no longer configured', 404)
    const request = await leaseAttempt(deps, driver, order, attempt)
    if (!request) return
    const session = await openSession(deps, driver, attempt, request)
    if (!session) return
    if (!(await keepSession(deps, attempt, session, driver.automatic))) await discardSession(deps, attempt, session)
  } catch (error) {
    const refused = error instanceof PaymentRefused && { status: 'failed' as const, request: null }
    await deps.db
      .update(paymentAttempts)
      .set({ leasedAt: null, ...refused })
      .where(isBeingCreated(attempt))
    throw appError('payment.failed', { cause: error })
  }
}

/**
 * Undefined while another process holds the lease. The first try stores the request, and further
 * tries send the same.
 */
async function leaseAttempt(deps: BillingDeps, driver: PaymentDriver, order: Order, attempt: Attempt) {
  const now = deps.clock()
  const stale = addTime(now, { seconds: -leaseSeconds })
  const request = attempt.request ?? driver.prepare(await describePayment(deps, order, attempt))
  const [leased] = await deps.db
    .update(paymentAttempts)
    .set({ leasedAt: now, request: sql`coalesce(${paymentAttempts.request}, ${JSON.stringify(request)}::jsonb)` })
    .where(and(isBeingCreated(attempt), or(isNull(paymentAttempts.leasedAt), lt(paymentAttempts.leasedAt, stale))))
    .returning({ request: paymentAttempts.request })
  return leased?.request ?? undefined
}

/** A refused request's alternative is stored and sent, also by later tries. */
async function openSession(
  deps: BillingDeps,
  driver: PaymentDriver,
  attempt: Attempt,
  request: PreparedRequest,
): Promise<PaymentSession | undefined> {
  try {
    return await createSession(deps, driver, attempt.id, request)
  } catch (error) {
    if (!(error instanceof PaymentRefused) || !error.instead) throw error
    const kept = await deps.db
      .update(paymentAttempts)
      .set({ request: error.instead })
      .where(isBeingCreated(attempt))
      .returning({ id: paymentAttempts.id })
    return kept.length > 0 ? await createSession(deps, driver, attempt.id, error.instead) : undefined
  }
}

/** Counts failures in a row for the operator. */
async function createSession(
  deps: BillingDeps,
  driver: PaymentDriver,
  attemptId: string,
  request: PreparedRequest,
): Promise<PaymentSession> {
  try {
    const session = await driver.create(attemptId, request)
    if (driver.automatic) await recordCreate(deps)
    return session
  } catch (error) {
    const hasOther = error instanceof PaymentRefused && error.instead !== undefined
    if (driver.automatic && !hasOther) await recordFailedCreate(deps)
    throw error
  }
}

async function describePayment({ db }: BillingDeps, order: Order, attempt: Attempt) {
  const [buyer] = await db
    .select({ id: users.id, name: users.name, email: users.email, language: users.language })
    .from(users)
    .where(eq(users.id, order.userId))
  if (!buyer) throw new Error('the buyer of an order is missing')
  return {
    attemptId: attempt.id,
    orderId: order.id,
    amountIdr: attempt.amountIdr,
    method: attempt.method,
    expiresAt: attempt.expiresAt,
    description: order.packageName ?? order.id,
    buyer: { ...buyer, mobileNumber: order.mobileNumber },
  }
}

async function keepSession(
  { db, clock }: BillingDeps,
  attempt: Attempt,
  session: PaymentSession,
  automatic: boolean,
): Promise<boolean> {
  const kept = await db
    .update(paymentAttempts)
    .set({
      status: 'open',
      leasedAt: null,
      request: null,
      sessionId: session.sessionId,
      requestId: session.requestId ?? null,
      url: session.url,
      vaNumber: session.vaNumber ?? null,
      qrContent: session.qrContent ?? null,
      account: session.account ?? null,
      readAt: automatic ? addTime(clock(), { seconds: firstReadSeconds }) : null,
    })
    .where(isBeingCreated(attempt))
    .returning({ id: paymentAttempts.id })
  await resolveUnknown({ db, clock }, [session.sessionId])
  return kept.length > 0
}

/**
 * The order was cancelled, or got another session, during the call: this session must not be paid.
 * Its id is stored, so that a payment that comes nevertheless finds its order.
 */
async function discardSession(deps: BillingDeps, attempt: Attempt, session: PaymentSession): Promise<void> {
  const named = await storeSessionId(deps.db, attempt, session)
  if (named) {
    await closeSession(deps, named)
    return
  }
  const [kept] = await deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attempt.id))
  // Another process sent the same request: it got a second session if the gateway forgot the key.
  if (kept?.sessionId !== session.sessionId) await closeDuplicateSession(deps, attempt, session)
}

function isBeingCreated({ id }: Attempt) {
  return and(eq(paymentAttempts.id, id), eq(paymentAttempts.status, 'creating'), not(paymentAttempts.closing))
}
