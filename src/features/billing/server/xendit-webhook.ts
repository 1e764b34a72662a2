import { createHash, timingSafeEqual } from 'node:crypto'
import { type } from 'arktype'
import { and, eq } from 'drizzle-orm'
import { appError } from '#server/http/app-error.ts'
import type { BillingDeps } from './deps.ts'
import { noteDifference } from './differences.ts'
import { followAttempt } from './follow-attempt.ts'
import type { Attempt } from './order-record.ts'
import { paymentAttempts } from './table.ts'

const name = type('1 <= string <= 200')

/** What a webhook has to say; everything else in it is not trusted and not read. */
export const xenditWebhook = /* @__PURE__ */ type({
  event: 'string <= 100',
  data: { 'payment_session_id?': name.or('null'), 'payment_request_id?': name.or('null') },
})

const events = new Set([
  'payment_session.completed',
  'payment_session.expired',
  'payment.capture',
  'payment.succeeded',
  'payment.pending',
])

/**
 * A webhook only says where to look: the body is not signed, so the session is read from the gateway before anything changes. An error answer makes the
 * gateway send it again.
 */
export async function takeXenditWebhook(deps: BillingDeps, { event, data }: typeof xenditWebhook.infer): Promise<void> {
  if (!events.has(event)) return
  const attempt = await attemptOf(deps, data)
  if (!attempt) return await noteUnknown(deps, { event, data })
  try {
    await followAttempt(deps, attempt)
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
async function noteUnknown(deps: BillingDeps, { event, data }: typeof xenditWebhook.infer): Promise<void> {
  deps.log.warn({ event }, 'a webhook names something that we do not know')
  const { payment_session_id: session, payment_request_id: request } = data
  const id = session ?? request
  if (!id) return
  const what = session ? 'unknown_session' : 'unknown_payment'
  // Events come again and again: what an admin has settled stays so.
  const unknown = { check: 'webhook', what, id, expected: 'one of ours', found: event }
  await noteDifference(deps, unknown, { reopen: false })
}

async function attemptOf(
  { db }: BillingDeps,
  data: (typeof xenditWebhook.infer)['data'],
): Promise<Attempt | undefined> {
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
