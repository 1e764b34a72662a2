import { useLingui } from '@lingui/react/macro'
import { AdminPage } from '#ui/admin/page.tsx'
import { LedgerTable } from './ledger-table.tsx'

/** /admin/kredit/riwayat: everybody's credit history. */
export function LedgerScreen() {
  const { t } = useLingui()
  return (
    <AdminPage title={t`Riwayat kredit`}>
      <LedgerTable />
    </AdminPage>
  )
}
