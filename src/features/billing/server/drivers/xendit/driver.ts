import { type } from '#contract/schema.ts'
import { paymentMethods } from '../../../methods.ts'
import type { BillingDeps } from '../../deps.ts'
import { type PaymentDriver, PaymentRefused } from '../port.ts'
import { xenditApi } from './api.ts'
import { paymentRequestBody, sessionBody } from './bodies.ts'
import { isPaymentRequest, paymentRequests } from './payment-requests.ts'
import { paymentSessions } from './sessions.ts'

const prepared = type({ 'paymentRequest?': 'Record<string, unknown>', session: 'Record<string, unknown>' })

/**
 * Xendit. An account number or code is asked for by a payment request, so that our own page can
 * show it; wallets, and accounts at Xendit that may not do that, use a payment session with
 * Xendit's page. What the gateway says counts only when read from it, never from a webhook's body.
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
        // A conflict means that there is one already, whose name we do not know.
        if (!(error instanceof PaymentRefused) || error.status === 409) throw error
        throw new PaymentRefused(error.message, error.status, { session })
      }
    },
    read: (id) => kindOf(id).read(id),
    cancel: (id) => kindOf(id).cancel(id),
  }
}
