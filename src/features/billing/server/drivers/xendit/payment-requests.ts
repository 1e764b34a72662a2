import { type } from '#shared/schema.ts'
import { PaymentRefused, type PaymentSession, type PreparedRequest, type SessionState } from '../payment-driver.ts'
import { AlreadyExists, paymentInstructions, presentedActions, retryUnknownOutcome, type XenditCall } from './api.ts'

const paymentRequest = type({
  payment_request_id: '1 <= string <= 200',
  status: 'string',
  request_amount: 'number',
  currency: 'string',
  'reference_id?': 'string | null',
  'latest_payment_id?': 'string | null',
  'actions?': presentedActions,
})
type Request = typeof paymentRequest.infer

/** The captured amount is the received amount. */
const payment = type({
  payment_id: '1 <= string <= 200',
  payment_request_id: 'string',
  currency: 'string',
  'captures?': type({ capture_amount: 'number' }).array().or('null'),
})

const states: Record<string, SessionState['status']> = {
  ACCEPTING_PAYMENTS: 'active',
  REQUIRES_ACTION: 'active',
  AUTHORIZED: 'pending',
  SUCCEEDED: 'completed',
  EXPIRED: 'expired',
  CANCELED: 'cancelled',
  FAILED: 'failed',
}

/** Xendit's ids have a prefix for their kind. */
export const isPaymentRequest = (id: string): boolean => id.startsWith('pr-')

/** `/v3/payment_requests`: an account number or a code that this app's page shows. */
export function paymentRequests(call: XenditCall) {
  const pathOf = (id: string) => `/v3/payment_requests/${encodeURIComponent(id)}`

  async function find(id: string): Promise<Request | null> {
    const found = await call.find(pathOf(id))
    if (found === null) return null
    const read = parsed(found)
    if (read.payment_request_id !== id) throw new Error('xendit returned another payment request')
    return read
  }

  async function createOnce(attemptId: string, body: PreparedRequest): Promise<Request> {
    try {
      // Differs from the key of a session of the same attempt.
      return parsed(await call.post('/v3/payment_requests', body, `request-${attemptId}`))
    } catch (error) {
      if (!(error instanceof AlreadyExists)) throw error
      const found = await find(error.id)
      if (found?.reference_id !== attemptId) throw new PaymentRefused('xendit has another request under this key', 409)
      return found
    }
  }

  /** Without a code or number to show, Xendit's page must replace it. */
  async function giveUp(id: string): Promise<never> {
    // Reading it again shows the result.
    await call.post(`${pathOf(id)}/cancel`).catch(() => {})
    const after = await find(id)
    if (after?.status !== 'CANCELED') throw new Error('xendit returned no payment instructions')
    throw new PaymentRefused('xendit returned no payment instructions', 422)
  }

  async function paymentOf({ payment_request_id, latest_payment_id, request_amount, currency }: Request) {
    const named = { id: latest_payment_id ?? payment_request_id, amount: request_amount, currency }
    if (!latest_payment_id) return named
    const found = await call.find(`/v3/payments/${encodeURIComponent(latest_payment_id)}`)
    if (found === null) return named
    const read = payment(found)
    if (read instanceof type.errors || read.payment_request_id !== payment_request_id) {
      throw new Error('xendit returned another payment')
    }
    if (!read.captures || read.captures.length === 0) return named
    const amount = read.captures.reduce((sum, { capture_amount }) => sum + capture_amount, 0)
    return { id: read.payment_id, amount, currency: read.currency }
  }

  return {
    async create(attemptId: string, body: PreparedRequest): Promise<PaymentSession> {
      const made = await retryUnknownOutcome(() => createOnce(attemptId, body))
      if (made.request_amount !== body.request_amount || made.currency !== 'IDR') {
        throw new Error('xendit returned another amount')
      }
      const shown = paymentInstructions(made.actions)
      const id = made.payment_request_id
      if (!shown.vaNumber && !shown.qrContent) return await giveUp(id)
      return { sessionId: id, requestId: id, url: null, ...shown }
    },
    async read(id: string): Promise<SessionState | null> {
      const found = await find(id)
      if (!found) return null
      const status = states[found.status]
      if (!status) throw new Error('xendit returned an unknown status of a payment request')
      return {
        status,
        amount: found.request_amount,
        currency: found.currency,
        reference: found.reference_id ?? null,
        requestId: id,
        payments: status === 'completed' ? [await paymentOf(found)] : [],
      }
    },
    async cancel(id: string): Promise<void> {
      await call.post(`${pathOf(id)}/cancel`)
    },
  }
}

function parsed(value: unknown): Request {
  const found = paymentRequest(value)
  if (found instanceof type.errors) throw new Error('xendit returned an invalid payment request')
  return found
}
