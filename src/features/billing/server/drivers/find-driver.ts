import { type } from '#shared/schema.ts'
import { type MethodId, methodIds, paymentMethods } from '../../payment-methods.ts'
import type { DriverId } from '../../rules.ts'
import type { PaymentMethodView } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import type { PaymentDriver } from './payment-driver.ts'
import { simulatorDriver } from './simulator.ts'
import { xenditDriver } from './xendit/sessions.ts'

const prepared = type({ method: type.enumerated(...methodIds) })

/** A transfer to the operator's own account: the buyer reports it, an admin confirms it. */
function manualDriver({ config }: Pick<BillingDeps, 'config'>): PaymentDriver {
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

const factories: Record<DriverId, (deps: BillingDeps) => PaymentDriver> = {
  simulator: simulatorDriver,
  manual: manualDriver,
  xendit: xenditDriver,
}

/** An order may outlive the configuration under which it was placed. */
export function findDriver(deps: BillingDeps, id: DriverId): PaymentDriver | undefined {
  return deps.config.payment.drivers.includes(id) ? factories[id](deps) : undefined
}

/** The first of PAYMENTS that offers the method. */
export function driverFor(deps: BillingDeps, method: MethodId): PaymentDriver | undefined {
  return deps.config.payment.drivers.map((id) => factories[id](deps)).find((driver) => driver.offers(method))
}

export function listPaymentMethods(deps: BillingDeps): PaymentMethodView[] {
  return methodIds.flatMap((id) => {
    const driver = driverFor(deps, id)?.id
    const { refundable: _, ...method } = paymentMethods[id]
    return driver ? [{ ...method, image: `/methods/${id}.svg`, driver }] : []
  })
}
