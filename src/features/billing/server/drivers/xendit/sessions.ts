import { type } from '#shared/schema.ts'
import { PaymentRefused, type PaymentSession, type PreparedRequest, type SessionState } from '../port.ts'
import { AlreadyExists, retryUnknownOutcome, type XenditCall } from './api.ts'
import { paymentInstructions, presentedActions } from './payment-instructions.ts'

const session = type({
  payment_session_id: '1 <= string <= 200',
  status: 'string',
  amount: 'number',
  currency: 'string',
  'reference_id?': 'string | null',
  'payment_link_url?': 'string | null',
  'payment_request_id?': 'string | null',
  'payment_id?': 'string | null',
  'actions?': presentedActions,
})
type Session = typeof session.infer

const states: Record<string, SessionState['status']> = {
  ACTIVE: 'active',
  PENDING: 'pending',
  COMPLETED: 'completed',
  EXPIRED: 'expired',
  CANCELED: 'cancelled',
}

/** `/sessions`: a page of Xendit on which the buyer pays. */
export function paymentSessions(call: XenditCall) {
  async function find(id: string): Promise<Session | null> {
    const found = await call.find(`/sessions/${encodeURIComponent(id)}`)
    if (found === null) return null
    const read = parsed(found)
    if (read.payment_session_id !== id) throw new Error('xendit returned another session')
    return read
  }

  async function createOnce(attemptId: string, body: PreparedRequest): Promise<Session> {
    try {
      return parsed(await call.post('/sessions', body, attemptId))
    } catch (error) {
      if (!(error instanceof AlreadyExists)) throw error
      const found = await find(error.id)
      if (found?.reference_id !== attemptId) throw new PaymentRefused('xendit has another session under this key', 409)
      return found
    }
  }

  return {
    async create(attemptId: string, body: PreparedRequest): Promise<PaymentSession> {
      const made = await retryUnknownOutcome(() => createOnce(attemptId, body))
      if (made.amount !== body.amount || made.currency !== 'IDR') throw new Error('xendit returned another amount')
      if (!made.payment_link_url?.startsWith('http')) throw new Error('xendit returned no payment page')
      // This app's page shows the number or code, so the buyer need not visit the gateway's page.
      return { sessionId: made.payment_session_id, url: made.payment_link_url, ...paymentInstructions(made.actions) }
    },
    async read(id: string): Promise<SessionState | null> {
      const found = await find(id)
      if (!found) return null
      const status = states[found.status]
      if (!status) throw new Error('xendit returned an unknown status of a session')
      const { amount, currency } = found
      const requestId = found.payment_request_id ?? null
      const paymentId = found.payment_id ?? requestId ?? id
      return {
        status,
        amount,
        currency,
        reference: found.reference_id ?? null,
        requestId,
        payments: status === 'completed' ? [{ id: paymentId, amount, currency }] : [],
      }
    },
    async cancel(id: string): Promise<void> {
      await call.post(`/sessions/${encodeURIComponent(id)}/cancel`)
    },
  }
}

function parsed(value: unknown): Session {
  const found = session(value)
  if (found instanceof type.errors) throw new Error('xendit returned an invalid session')
  return found
}
