import { methodIds, paymentMethods } from '../../methods.ts'
import type { PaymentMethodView } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { driverFor } from '../drivers/drivers.ts'

export function listPaymentMethods(deps: BillingDeps): PaymentMethodView[] {
  return methodIds.flatMap((id) => {
    const driver = driverFor(deps, id)?.id
    return driver ? [{ ...paymentMethods[id], image: `/methods/${id}.svg`, driver }] : []
  })
}
