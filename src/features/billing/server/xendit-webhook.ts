import { createHash, timingSafeEqual } from 'node:crypto'
import { type } from 'arktype'
import { and, eq, isNull } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { appError } from '#server/http/app-error.ts'
import type { BillingDeps } from './deps.ts'
import { findDriver } from './drivers/drivers.ts'
import { followAttempt } from './follow-attempt.ts'
import type { Attempt } from './order-record.ts'
import { paymentAttempts } from './table.ts'
import { noteUnknown } from './unknown-payments.ts'

const name = type('1 <= string <= 200')

/** What a webhook has to say; everything else in it is not trusted and not read. */
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
])

/**
 * A webhook only says where to look: the body is not signed, so the session is read from the gateway before anything changes. An error makes the
 * gateway send it again.
 */
export async function takeXenditWebhook(deps: BillingDeps, { event, data }: Webhook): Promise<void> {
  if (!events.has(event)) return
  try {
    const attempt = (await attemptOf(deps, data)) ?? (await attemptWithLostSession(deps, data))
    if (attempt) await followAttempt(deps, attempt, { pending: event === 'payment.pending' })
    else await takeUnknown(deps, { event, data })
  } catch (error) {
    throw appError('server.unavailable', undefined, { cause: error, retryAfter: 30 })
  }
}

/** Throws unless the token is the one that the gateway was given; takes the same time for every wrong one. */
export function checkXenditToken({ config }: Pick<BillingDeps, 'config'>, token: string | undefined): void {
  const { xendit } = config.payment
  if (!xendit) throw appError('request.not_found')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (token === undefined || !timingSafeEqual(digest(token), digest(xendit.callbackToken))) {
    throw appError('auth.forbidden')
  }
}

/**
 * A payment's own event may come before we know its request: its session's event, or a poll, follows, and then nothing differs. What stays is money
 * that nobody here asked for.
 */
async function takeUnknown(deps: BillingDeps, { event, data }: Webhook): Promise<void> {
  const { payment_session_id: session, payment_request_id: request } = data
  if (session) await noteUnknown(deps, { kind: 'session', name: session, event })
  else if (request) await noteUnknown(deps, { kind: 'payment', name: request, event })
  deps.log.warn({ event }, 'a webhook names something that we do not know')
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

/**
 * The session of an attempt whose creation was never confirmed to us. The reference only says where to look; that the session belongs to the attempt
 * has to be read from the gateway.
 */
async function attemptWithLostSession(deps: BillingDeps, data: Webhook['data']): Promise<Attempt | undefined> {
  const { payment_session_id: sessionId, reference_id: reference } = data
  if (!sessionId || !reference || !isUuid(reference)) return undefined
  const lost = and(
    eq(paymentAttempts.id, reference),
    eq(paymentAttempts.driver, 'xendit'),
    isNull(paymentAttempts.sessionId),
  )
  const [attempt] = await deps.db.select().from(paymentAttempts).where(lost)
  if (!attempt) return undefined
  const state = await findDriver(deps, 'xendit')?.read(sessionId)
  if (state?.reference !== attempt.id) return undefined
  const [found] = await deps.db.update(paymentAttempts).set({ sessionId }).where(lost).returning()
  return found
}
