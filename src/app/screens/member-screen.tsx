import { UnpaidOrder } from '#features/billing/app/unpaid-order.tsx'
import { RecentWork } from '#features/generations/app/recent/recent-work.tsx'
import { MemberHome } from '#features/site/app/member-home.tsx'

/** Who is signed in finds what they were doing; the parts come from three features. */
export function MemberScreen() {
  return (
    <MemberHome>
      <UnpaidOrder />
      <RecentWork />
    </MemberHome>
  )
}
