import { type } from '#shared/schema.ts'
import { paymentMethods } from '../../../methods.ts'
import type { BillingDeps } from '../../deps.ts'
import { type PaymentDriver, PaymentRefused } from '../port.ts'
import { xenditApi } from './api.ts'
import { paymentRequestBody, sessionBody } from './bodies.ts'
import { isPaymentRequest, paymentRequests } from './payment-requests.ts'
import { paymentSessions } from './sessions.ts'

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
    read: (id) => kindOf(id).read(id),
    cancel: (id) => kindOf(id).cancel(id),
  }
}
