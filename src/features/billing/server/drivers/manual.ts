import { type } from '#shared/schema.ts'
import { type MethodId, methodIds, paymentMethods } from '../../methods.ts'
import type { BillingDeps } from '../deps.ts'
import type { PaymentDriver } from './port.ts'

const prepared = type({ method: type.enumerated(...methodIds) })

/** A transfer to the operator's own account: the buyer reports it, an admin confirms it. */
export function manualDriver({ config }: Pick<BillingDeps, 'config'>): PaymentDriver {
  const accountFor = (method: MethodId) => config.payment.manualAccounts.find((account) => account.method === method)
  return {
    id: 'manual',
    automatic: false,
    offers: (method) => accountFor(method) !== undefined,
    prepare: ({ method }) => ({ method }),
    async create(attemptId, given) {
      const { method } = prepared.assert(given)
      const account = accountFor(method)
      if (!account) throw new Error('there is no account for this bank')
      const { number, holder } = account
      return { sessionId: attemptId, url: null, account: { bank: paymentMethods[method].name, number, holder } }
    },
    async read() {
      return null
    },
  }
}
