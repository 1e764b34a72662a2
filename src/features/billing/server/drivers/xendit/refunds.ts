import { type } from '#shared/schema.ts'
import type { PaymentDriver, RefundState } from '../port.ts'
import { PaymentRefused } from '../port.ts'
import { retryUnknownOutcome, type XenditCall } from './api.ts'

const refund = type({
  id: '1 <= string <= 200',
  status: 'string',
  amount: 'number',
  currency: 'string',
  'failure_code?': 'string | null',
})

const states: Record<string, RefundState['status']> = {
  PENDING: 'pending',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'failed',
}

function stateOf(value: unknown): RefundState & { amount: number } {
  const found = refund(value)
  if (found instanceof type.errors) throw new Error('xendit returned an invalid refund')
  const status = states[found.status]
  if (!status || found.currency !== 'IDR') throw new Error('xendit returned an unknown refund')
  return { refundId: found.id, status, failure: found.failure_code ?? null, amount: found.amount }
}

/** `/refunds` takes the payment request, also for a payment within a session. */
export function xenditRefunds(call: XenditCall): NonNullable<PaymentDriver['refunds']> {
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
      const { amount, ...state } = stateOf(await retryUnknownOutcome(() => call.post('/refunds', body, `refund-${id}`)))
      if (amount !== amountIdr) throw new Error('xendit refunds another amount')
      return state
    },
    async read(refundId) {
      const found = await call.find(`/refunds/${encodeURIComponent(refundId)}`)
      if (found === null) throw new Error('xendit does not know the refund')
      const { amount: _, ...state } = stateOf(found)
      return state
    },
  }
}
