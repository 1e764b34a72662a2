import { and, asc, eq, lte } from 'drizzle-orm'
import { addTime } from '#shared/time.ts'
import type { BillingDeps } from '../deps.ts'
import { type Attempt, mayBePaid } from '../orders/order-record.ts'
import { paymentAttempts } from '../tables/payments.ts'
import { closeSession } from './close-session.ts'
import { followAttempt } from './follow-attempt.ts'
import { gatewayRate, withinGatewayRate } from './gateway-health.ts'

const batchSize = 200
const minSeconds = 60
const maxSeconds = 30 * 60
/** The daily reconciliation still reads sessions that ended longer ago. */
const overSeconds = 2 * 24 * 3600

/**
 * Reads sessions without a recent webhook, because webhooks get lost, and closes marked ones. The
 * longer a session is silent, the rarer it is read. Returns the number of due sessions.
 */
export async function pollPayments(
  deps: BillingDeps,
  { signal, pace = gatewayRate }: { signal?: AbortSignal; pace?: typeof gatewayRate } = {},
): Promise<number> {
  const until = deps.clock()
  for (let polled = 0; ; ) {
    const due = await takeDue(deps, until)
    await withinGatewayRate(due, pace, signal, (attempt) => poll(deps, attempt))
    polled += due.length
    if (due.length < batchSize || signal?.aborted) return polled
  }
}

/** Sets the time of the next reading, so that an unreadable session does not block the others. */
async function takeDue({ db, clock }: BillingDeps, until: Date): Promise<Attempt[]> {
  const due = await db
    .select()
    .from(paymentAttempts)
    .where(and(mayBePaid, lte(paymentAttempts.readAt, until)))
    .orderBy(asc(paymentAttempts.readAt))
    .limit(batchSize)
  const taken: Attempt[] = []
  for (const attempt of due) {
    const [mine] = await db
      .update(paymentAttempts)
      .set({ reads: attempt.reads + 1, readAt: nextRead(attempt, clock()) })
      .where(and(eq(paymentAttempts.id, attempt.id), eq(paymentAttempts.reads, attempt.reads), mayBePaid))
      .returning()
    if (mine) taken.push(mine)
  }
  return taken
}

async function poll(deps: BillingDeps, attempt: Attempt): Promise<void> {
  try {
    if (attempt.closing) await closeSession(deps, attempt)
    else await followAttempt(deps, attempt)
  } catch (error) {
    deps.log.warn({ err: error, orderId: attempt.orderId }, 'could not read a payment session')
  }
}

function nextRead({ reads, expiresAt }: Attempt, now: Date): Date | null {
  if (now > addTime(expiresAt, { seconds: overSeconds })) return null
  const seconds = Math.min(minSeconds * 2 ** Math.min(reads, 10), maxSeconds)
  return addTime(now, { seconds })
}
