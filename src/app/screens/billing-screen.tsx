import { Records } from '#features/billing/app/records.tsx'
import { BillingPage } from '#features/credits/app/billing-page.tsx'

/** The balance from one feature, orders and history from another. */
export function BillingScreen() {
  return (
    <BillingPage>
      <Records />
    </BillingPage>
  )
}
