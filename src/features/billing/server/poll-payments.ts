import { and, asc, eq, lte } from 'drizzle-orm'
import type { BillingDeps } from './deps.ts'
import { followAttempt } from './follow-attempt.ts'
import type { Attempt } from './order-record.ts'
import { paymentAttempts } from './table.ts'

const batch = 50
const leastSeconds = 60
const mostSeconds = 30 * 60
/** A session that is over for so long has nothing more to say; the daily comparison still looks at it. */
const overSeconds = 2 * 24 * 3600

/** Asks the gateway about sessions from which no word has come: webhooks get lost. The longer a session is silent, the rarer it is asked. */
export async function pollPayments(deps: BillingDeps): Promise<number> {
  const { db, clock, log } = deps
  const due = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.status, 'open'), lte(paymentAttempts.readAt, clock())))
    .orderBy(asc(paymentAttempts.readAt))
    .limit(batch)
  for (const attempt of due) {
    // First the next time, so that a session which cannot be read does not hold up the others.
    await db
      .update(paymentAttempts)
      .set({ reads: attempt.reads + 1, readAt: nextRead(attempt, clock()) })
      .where(and(eq(paymentAttempts.id, attempt.id), eq(paymentAttempts.status, 'open')))
    try {
      await followAttempt(deps, attempt)
    } catch (error) {
      log.warn({ err: error, orderId: attempt.orderId }, 'a payment session could not be read')
    }
  }
  return due.length
}

function nextRead({ reads, expiresAt }: Attempt, now: Date): Date | null {
  if (now.getTime() - expiresAt.getTime() > overSeconds * 1000) return null
  const seconds = Math.min(leastSeconds * 2 ** Math.min(reads, 10), mostSeconds)
  return new Date(now.getTime() + seconds * 1000)
}
