import { type } from 'arktype'
import type { BillingDeps } from '../deps.ts'
import { type PaymentDriver, PaymentRefused, type PaymentSession, type SessionState } from './port.ts'
import { AlreadyThere, xenditApi } from './xendit-api.ts'
import { sessionRequest } from './xendit-request.ts'

const tries = 2

const session = type({
  payment_session_id: '1 <= string <= 200',
  status: 'string',
  amount: 'number',
  currency: 'string',
  'reference_id?': 'string | null',
  'payment_link_url?': 'string | null',
  'payment_request_id?': 'string | null',
  'payment_id?': 'string | null',
  'actions?': type({ descriptor: 'string', 'value?': '1 <= string <= 2000 | null' }).array().or('null'),
})
type Session = typeof session.infer

const states: Record<string, SessionState['status']> = {
  ACTIVE: 'active',
  PENDING: 'pending',
  COMPLETED: 'completed',
  EXPIRED: 'expired',
  CANCELED: 'cancelled',
}

/** Xendit's Payment Sessions. What the gateway says counts only when read from it, never from a webhook's body. */
export function xenditDriver({ config }: Pick<BillingDeps, 'config'>): PaymentDriver {
  const { xendit } = config.payment
  if (!xendit) throw new Error('xendit is not configured')
  const call = xenditApi(xendit)

  async function find(sessionId: string): Promise<Session | null> {
    let found: Session
    try {
      found = parsed(await call('GET', `/sessions/${encodeURIComponent(sessionId)}`))
    } catch (error) {
      if (error instanceof PaymentRefused && error.status === 404) return null
      throw error
    }
    if (found.payment_session_id !== sessionId) throw new Error('xendit returned another session')
    return found
  }

  async function createOnce(attemptId: string, body: object): Promise<Session> {
    try {
      return parsed(await call('POST', '/sessions', body, attemptId))
    } catch (error) {
      if (!(error instanceof AlreadyThere)) throw error
      const found = await find(error.sessionId)
      if (found?.reference_id !== attemptId) throw new PaymentRefused('xendit has another session under this key', 409)
      return found
    }
  }

  return {
    id: 'xendit',
    automatic: true,
    offers: () => true,
    prepare: (request) => sessionRequest(request, config.publicUrl),
    async create(attemptId, prepared) {
      const made = await persistently(() => createOnce(attemptId, prepared))
      if (made.amount !== prepared.amount || made.currency !== 'IDR') throw new Error('xendit asks for another amount')
      if (!made.payment_link_url?.startsWith('http')) throw new Error('xendit gave no page to pay at')
      return { sessionId: made.payment_session_id, url: made.payment_link_url, ...shownHere(made) }
    },
    async read(sessionId) {
      const found = await find(sessionId)
      if (!found) return null
      const status = states[found.status]
      if (!status) throw new Error('xendit returned an unknown status')
      const { amount, currency } = found
      const requestId = found.payment_request_id ?? null
      const paymentId = found.payment_id ?? requestId ?? sessionId
      return {
        status,
        amount,
        currency,
        reference: found.reference_id ?? null,
        requestId,
        payments: status === 'completed' ? [{ id: paymentId, amount, currency }] : [],
      }
    },
    async cancel(sessionId) {
      await call('POST', `/sessions/${encodeURIComponent(sessionId)}/cancel`)
    },
  }
}

/** Where the response carries what our own page can show, the buyer need not go to the gateway's page. */
function shownHere({ actions }: Session): Pick<PaymentSession, 'vaNumber' | 'qrContent'> {
  const shown = (descriptor: string) => actions?.find((action) => action.descriptor === descriptor)?.value
  const vaNumber = shown('VIRTUAL_ACCOUNT_NUMBER')
  const qrContent = shown('QR_STRING')
  return { ...(vaNumber && { vaNumber }), ...(qrContent && { qrContent }) }
}

function parsed(value: unknown): Session {
  const found = session(value)
  if (found instanceof type.errors) throw new Error('xendit returned something that is no session')
  return found
}

/** Once more when the outcome is unknown, unless that took long: somebody waits. */
async function persistently<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let left = tries; ; left -= 1) {
    try {
      return await action()
    } catch (error) {
      const slow = error instanceof Error && error.name === 'TimeoutError'
      if (error instanceof PaymentRefused || slow || left <= 1) throw error
    }
  }
}
