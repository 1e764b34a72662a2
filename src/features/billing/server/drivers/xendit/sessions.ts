import { type } from '#shared/schema.ts'
import { paymentMethods } from '../../../payment-methods.ts'
import type { BillingDeps } from '../../deps.ts'
import {
  type PaymentDriver,
  PaymentRefused,
  type PaymentSession,
  type PreparedRequest,
  type RefundState,
  type SessionState,
} from '../payment-driver.ts'
import {
  AlreadyExists,
  paymentInstructions,
  presentedActions,
  retryUnknownOutcome,
  type XenditCall,
  xenditApi,
} from './api.ts'
import { isPaymentRequest, paymentRequests } from './payment-requests.ts'
import { paymentRequestBody, sessionBody } from './request-bodies.ts'

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
function paymentSessions(call: XenditCall) {
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

const prepared = type({ 'paymentRequest?': 'Record<string, unknown>', session: 'Record<string, unknown>' })

/**
 * An account number or code comes from a payment request, so that this app's page can show it;
 * wallets, and Xendit accounts without access to payment requests, use a payment session with
 * Xendit's page. Only a state read from Xendit counts, never the body of a webhook.
 */
export function xenditDriver({ config }: Pick<BillingDeps, 'config'>): PaymentDriver {
  const { xendit, seller } = config.payment
  if (!xendit) throw new Error('xendit is not configured')
  const call = xenditApi(xendit)
  const requests = paymentRequests(call)
  const sessions = paymentSessions(call)
  const kindOf = (id: string) => (isPaymentRequest(id) ? requests : sessions)

  return {
    id: 'xendit',
    automatic: true,
    offers: () => true,
    prepare: (request) => ({
      ...(paymentMethods[request.method].kind !== 'wallet' && { paymentRequest: paymentRequestBody(request, seller) }),
      session: sessionBody(request, config.publicUrl),
    }),
    async create(attemptId, given) {
      const { paymentRequest, session } = prepared.assert(given)
      if (!paymentRequest) return await sessions.create(attemptId, session)
      try {
        return await requests.create(attemptId, paymentRequest)
      } catch (error) {
        // A conflict means that a payment request exists already, whose id is unknown here.
        if (!(error instanceof PaymentRefused) || error.status === 409) throw error
        throw new PaymentRefused(error.message, error.status, { session })
      }
    },
    refunds: xenditRefunds(call),
    read: (id) => kindOf(id).read(id),
    cancel: (id) => kindOf(id).cancel(id),
  }
}

const refund = type({
  id: '1 <= string <= 200',
  status: 'string',
  amount: 'number',
  currency: 'string',
  'failure_code?': 'string | null',
})

const refundStates: Record<string, RefundState['status']> = {
  PENDING: 'pending',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

function refundStateOf(value: unknown): RefundState & { amount: number } {
  const found = refund(value)
  if (found instanceof type.errors) throw new Error('xendit returned an invalid refund')
  const status = refundStates[found.status]
  if (!status || found.currency !== 'IDR') throw new Error('xendit returned an unknown refund')
  return { refundId: found.id, status, failure: found.failure_code ?? null, amount: found.amount }
}

/** `/refunds` takes the payment request, also for a payment within a session. */
function xenditRefunds(call: XenditCall): NonNullable<PaymentDriver['refunds']> {
  return {
    async send({ id, amountIdr, requestId }) {
      if (requestId === null) throw new PaymentRefused('xendit named no payment request', 404)
      const body = {
        reference_id: id,
        payment_request_id: requestId,
        currency: 'IDR',
        amount: amountIdr,
        reason: 'REQUESTED_BY_CUSTOMER',
      }
      const { amount, ...state } = refundStateOf(
        await retryUnknownOutcome(() => call.post('/refunds', body, `refund-${id}`)),
      )
      if (amount !== amountIdr) throw new Error('xendit refunds another amount')
      return state
    },
    async read(refundId) {
      const found = await call.find(`/refunds/${encodeURIComponent(refundId)}`)
      if (found === null) throw new Error('xendit does not know the refund')
      const { amount: _, ...state } = refundStateOf(found)
      return state
    },
  }
}
