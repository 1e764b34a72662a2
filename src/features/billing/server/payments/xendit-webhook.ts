import { createHash, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { appError } from '#server/http/app-error.ts'
import { type } from '#shared/schema.ts'
import { addTime } from '#shared/time.ts'
import type { BillingDeps } from '../deps.ts'
import { findDriver } from '../drivers/find-driver.ts'
import { type Attempt, mayBePaid, storeSessionId } from '../orders/order-record.ts'
import { paymentAttempts } from '../tables/payments.ts'
import { closeDuplicateSession } from './close-session.ts'
import { followAttempt } from './follow-attempt.ts'
import { recordUnknownId } from './unknown-payments.ts'

const name = type('1 <= string <= 200')
const rereadSeconds = 15

/** Trusted part of a webhook; all other fields are ignored. */
export const xenditWebhook = /* @__PURE__ */ type({
  event: 'string <= 100',
  data: {
    'payment_session_id?': name.or('null'),
    'payment_request_id?': name.or('null'),
    'reference_id?': 'string | null',
  },
})
type Webhook = typeof xenditWebhook.infer

const events = new Set([
  'payment_session.completed',
  'payment_session.expired',
  'payment.capture',
  'payment.succeeded',
  'payment.pending',
  'payment.authorization',
  'payment.failure',
  'payment.expiry',
  'payment_request.expiry',
  'payment_request.expired',
])

/**
 * The body is not signed, so the session is read from the gateway before anything changes. An error
 * response makes the gateway repeat the webhook.
 */
export async function handleXenditWebhook(deps: BillingDeps, { event, data }: Webhook): Promise<void> {
  if (!events.has(event)) return
  try {
    const known = await attemptOf(deps, data)
    const found: Found = known ? { attempt: known } : await attemptByReference(deps, data)
    const { attempt, duplicateSessionId } = found
    if (!attempt) return await recordUnknown(deps, { event, data })
    const state = await followAttempt(deps, attempt, { pending: event === 'payment.pending' })
    if (duplicateSessionId !== undefined) await closeDuplicateSession(deps, attempt, { sessionId: duplicateSessionId })
    if (state?.status === 'active' || state?.status === 'pending') await readSoon(deps, attempt)
  } catch (error) {
    throw appError('server.unavailable', { cause: error, retryAfter: 30 })
  }
}

/** The gateway may send a webhook before the new state can be read. */
async function readSoon({ db, clock }: BillingDeps, { id }: Attempt): Promise<void> {
  const readAt = addTime(clock(), { seconds: rereadSeconds })
  await db
    .update(paymentAttempts)
    .set({ readAt, reads: 0 })
    .where(and(eq(paymentAttempts.id, id), mayBePaid))
}

/** Compares in constant time with the token configured at the gateway. */
export function checkXenditToken({ config }: Pick<BillingDeps, 'config'>, token: string | undefined): void {
  const { xendit } = config.payment
  if (!xendit) throw appError('request.not_found')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (token === undefined || !timingSafeEqual(digest(token), digest(xendit.callbackToken))) {
    throw appError('auth.forbidden')
  }
}

/**
 * A payment's event may arrive before its request is known: then its session's event, or polling,
 * resolves the entry. Remaining entries are payments that this server never requested.
 */
async function recordUnknown(deps: BillingDeps, { event, data }: Webhook): Promise<void> {
  const { payment_session_id: session, payment_request_id: request } = data
  if (session) await recordUnknownId(deps, { kind: 'session', name: session, event })
  else if (request) await recordUnknownId(deps, { kind: 'payment', name: request, event })
  deps.log.warn({ event }, 'received a webhook with an unknown reference')
}

async function attemptOf({ db }: BillingDeps, data: Webhook['data']): Promise<Attempt | undefined> {
  const by = data.payment_session_id
    ? eq(paymentAttempts.sessionId, data.payment_session_id)
    : data.payment_request_id
      ? eq(paymentAttempts.requestId, data.payment_request_id)
      : undefined
  if (!by) return undefined
  const [attempt] = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.driver, 'xendit'), by))
  return attempt
}

interface Found {
  attempt?: Attempt
  /** The attempt's own session, if another one of it was paid. */
  duplicateSessionId?: string
}

/**
 * Finds an attempt whose session was never confirmed to this server, or was created twice because
 * the gateway forgot the key. The reference is only a hint; the session's attempt must be read from
 * the gateway.
 */
async function attemptByReference(deps: BillingDeps, data: Webhook['data']): Promise<Found> {
  const { payment_session_id: session, payment_request_id: request, reference_id: reference } = data
  if (!reference || !isUuid(reference)) return {}
  const mine = and(eq(paymentAttempts.id, reference), eq(paymentAttempts.driver, 'xendit'))
  const [attempt] = await deps.db.select().from(paymentAttempts).where(mine)
  if (!attempt) return {}
  // A payment within a known session is read by its session.
  const within = attempt.sessionId !== null && attempt.sessionId !== attempt.requestId
  const name = session ?? (within ? attempt.sessionId : request)
  if (!name) return {}
  const state = await findDriver(deps, 'xendit')?.read(name)
  if (state?.reference !== attempt.id) return {}
  const named = await storeSessionId(deps.db, attempt, { sessionId: name, requestId: state.requestId ?? undefined })
  if (named) return { attempt: named }
  // The second session of an attempt matters only if it was paid; then the first one is closed.
  if (state.status !== 'completed' || attempt.sessionId === null || attempt.sessionId === name) return { attempt }
  return { attempt: { ...attempt, sessionId: name }, duplicateSessionId: attempt.sessionId }
}
