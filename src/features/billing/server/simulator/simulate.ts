import { and, eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { BillingDeps } from '../deps.ts'
import { mayBePaid } from '../orders/order-record.ts'
import { followAttempt } from '../payments/follow-attempt.ts'
import { paymentAttempts, simulatorSessions } from '../tables/payments.ts'

export const simulatorActions = ['pay', 'pay_twice', 'pay_late', 'pay_wrong', 'fail', 'expire'] as const
export type SimulatorAction = (typeof simulatorActions)[number]

export type SimulatorSession = typeof simulatorSessions.$inferSelect

type Change = Pick<SimulatorSession, 'status' | 'payments'>

/** A session past its expiry counts as expired, as at a real gateway. */
export async function readSimulator({ db, clock }: BillingDeps, id: string): Promise<SimulatorSession> {
  const [session] = await db.select().from(simulatorSessions).where(eq(simulatorSessions.id, id))
  if (!session) throw appError('request.not_found')
  if (session.status === 'ACTIVE' && session.expiresAt <= clock()) return { ...session, status: 'EXPIRED' }
  return session
}

/** Notifies the shop like a gateway: the notification names the session, not the outcome. */
export async function simulate(deps: BillingDeps, id: string, action: SimulatorAction): Promise<SimulatorSession> {
  await readSimulator(deps, id)
  const session = await transact(deps.db, async (tx) => {
    const [held] = await tx.select().from(simulatorSessions).where(eq(simulatorSessions.id, id)).for('update')
    if (!held) throw appError('request.not_found')
    const change = outcome(held, action, deps.clock())
    if (!change) throw appError('order.not_payable')
    await tx.update(simulatorSessions).set(change).where(eq(simulatorSessions.id, id))
    return { ...held, ...change }
  })
  const [attempt] = await deps.db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.driver, 'simulator'), eq(paymentAttempts.sessionId, id)))
  if (!attempt) return session
  if (action === 'fail') {
    await deps.db
      .update(paymentAttempts)
      .set({ status: 'failed', readAt: null })
      .where(and(eq(paymentAttempts.id, attempt.id), mayBePaid))
    return session
  }
  // A gateway may notify more than once.
  const notifications = action === 'pay_twice' ? 2 : 1
  for (let sent = 0; sent < notifications; sent += 1) await followAttempt(deps, attempt)
  return session
}

/** Undefined if a gateway would refuse the action. */
function outcome(session: SimulatorSession, action: SimulatorAction, now: Date): Change | undefined {
  const { amount, payments } = session
  const live = session.status === 'ACTIVE' && session.expiresAt > now
  const payment = (paid = amount) => ({ id: uuid(), amount: paid })
  const completed = (...more: { id: string; amount: number }[]): Change => ({
    status: 'COMPLETED',
    payments: [...payments, ...more],
  })
  switch (action) {
    case 'pay':
      return live ? completed(payment()) : undefined
    case 'pay_twice':
      return live || session.status === 'COMPLETED' ? completed(...(live ? [payment()] : []), payment()) : undefined
    case 'pay_late':
      return session.status !== 'COMPLETED' ? completed(payment()) : undefined
    case 'pay_wrong':
      return live ? completed(payment(Math.max(1, amount - 1000))) : undefined
    case 'fail':
      return live ? { status: 'CANCELED', payments } : undefined
    case 'expire':
      return session.status === 'ACTIVE' ? { status: 'EXPIRED', payments } : undefined
  }
}

/**
 * The simulator gives credits away, so requests from other machines do not get it unless
 * ALLOW_SIMULATOR permits. PUBLIC_URL may be missing, so the configuration alone does not suffice.
 */
export function simulatorForThisMachine(deps: Deps): (c: { var: { local: boolean } }) => Deps {
  const { config, log } = deps
  const drivers = config.payment.drivers.filter((driver) => driver !== 'simulator')
  const without = { ...deps, config: { ...config, payment: { ...config.payment, drivers } } }
  let hasWarned = false
  return (c) => {
    const { payment } = config
    if (c.var.local || payment.simulatorForAll || drivers.length === payment.drivers.length) return deps
    if (!hasWarned) {
      hasWarned = true
      log.warn(
        'the payment simulator gives credits away, so it is off for requests from other machines: set PUBLIC_URL to the public address, or ALLOW_SIMULATOR=1 to allow it',
      )
    }
    return without
  }
}
