import { useLingui } from '@lingui/react/macro'
import { lazyComponent } from '#client/lazy.ts'
import { UserScreen, type UserTab } from '#features/account/app/admin/user-screen.tsx'
import { LedgerEntries } from '#features/billing/app/admin/ledger-screen.tsx'
import { Orders } from '#features/billing/app/admin/orders-screen.tsx'

/** Rarely opened, and contains the texts of many lists. */
const UserTimeline = lazyComponent(() => import('./timeline.tsx'), 'UserTimeline')

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
