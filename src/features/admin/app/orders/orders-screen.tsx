import { useLingui } from '@lingui/react/macro'
import { AdminPage } from '#ui/admin/page.tsx'
import { OrdersTable } from './orders-table.tsx'

/** /admin/billing: everybody's orders. */
export function OrdersScreen() {
  const { t } = useLingui()
  return (
    <AdminPage title={t`Pesanan`}>
      <OrdersTable />
    </AdminPage>
  )
}
