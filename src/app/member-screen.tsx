import { lazyWithTexts } from '#client/lazy.ts'
import { loadContinueOffer } from '#features/generations/app/generations.ts'
import { RecentWork } from '#features/generations/app/recent/recent-work.tsx'
import { MemberHome } from '#features/site/app/member-home.tsx'

const ContinueOffer = lazyWithTexts(loadContinueOffer, 'ContinueOffer', null)
const UnpaidOrder = lazyWithTexts(() => import('#features/billing/app/unpaid-order.tsx'), 'UnpaidOrder', null)

/** Has few texts and parts of its own, so that a slow connection shows it soon. */
export function MemberScreen() {
  return (
    <MemberHome>
      <ContinueOffer />
      <UnpaidOrder />
      <RecentWork />
    </MemberHome>
  )
}
