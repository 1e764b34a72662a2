import { useLingui } from '@lingui/react/macro'
import { lazyComponent } from '#client/lazy.ts'
import { UserScreen, type UserTab } from '#features/account/app/admin/user-screen.tsx'
import type { TimelineSection } from '#features/admin/contributions.ts'
import type { TimelineKind } from '#features/admin/rules.ts'
import { securitySection, staffSection } from '#features/audit/app/admin/labels.ts'
import { creditsSection, orderSection } from '#features/billing/app/admin/contributions.ts'
import { LedgerEntries } from '#features/billing/app/admin/ledger-screen.tsx'
import { Orders } from '#features/billing/app/admin/orders-screen.tsx'
import { customEditSection } from '#features/custom-edits/app/admin/contributions.ts'
import { generationSection, refundRequestSection } from '#features/generations/app/admin/contributions.tsx'

const sections = {
  run: generationSection,
  order: orderSection,
  credits: creditsSection,
  claim: refundRequestSection,
  request: customEditSection,
  security: securitySection,
  staff: staffSection,
} satisfies Record<Exclude<TimelineKind, 'mail'>, TimelineSection>

/** Rarely opened, and contains the texts of many lists. */
const UserTimeline = lazyComponent(async () => {
  const { mailSection, Timeline } = await import('#features/admin/app/timeline.tsx')
  return {
    UserTimeline: (({ user }) => (
      <Timeline user={user} sections={{ ...sections, mail: mailSection }} />
    )) satisfies UserTab['Content'],
  }
}, 'UserTimeline')

const UserLedger: UserTab['Content'] = ({ user }) => <LedgerEntries userId={user.id} />
const UserOrders: UserTab['Content'] = ({ user }) => <Orders user={user.id} />

export function User() {
  const { t } = useLingui()
  const tabs: UserTab[] = [
    { id: 'linimasa', name: t`Linimasa`, Content: UserTimeline },
    { id: 'kredit', name: t`Riwayat kredit`, Content: UserLedger },
    { id: 'pesanan', name: t`Pesanan`, Content: UserOrders },
  ]
  return <UserScreen tabs={tabs} />
}
