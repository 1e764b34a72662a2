import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { formatDateTime, formatRupiah } from '#client/format.ts'
import { ChoiceFilter, DaysFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { List } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Badge } from '#ui/lists/badge.tsx'
import { Person } from '#ui/lists/person.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { AdminOrderView, OrderTotals } from '../../admin/schemas.ts'
import { methodName, statusLabels } from '../../labels.ts'
import { driverLabels, orderTones, problemLabels } from './labels.ts'

export function OrderBadges({ order }: { order: Pick<AdminOrderView, 'status' | 'moneyProblem'> }) {
  const { i18n } = useLingui()
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={orderTones[order.status]}>{i18n._(statusLabels[order.status])}</Badge>
      {order.moneyProblem && <Badge tone="bad">{i18n._(problemLabels[order.moneyProblem])}</Badge>}
    </span>
  )
}

export function Orders({ user }: { user?: string }) {
  const { t } = useLingui()
  return (
    <List
      label={t`Pesanan`}
      list={adminList<AdminOrderView>('orders')}
      file="rupa-orders"
      empty={t`Tidak ada pesanan yang cocok dengan saringan ini.`}
      link={({ id }) => `/admin/billing/${id}`}
      defaultSort="newest"
      filters={
        <>
          {!user && <SearchFilter label={t`Nama, email, kuitansi, jumlah, ID`} />}
          <ChoiceFilter name="status" label={t`Status`} all={t`Semua status`} choices={statusLabels} />
          <ChoiceFilter name="driver" label={t`Gerbang pembayaran`} all={t`Semua gerbang`} choices={driverLabels} />
          <ChoiceFilter
            name="problem"
            label={t`Masalah`}
            all={t`Semua pembayaran`}
            choices={{ true: t`Pembayaran bermasalah` }}
          />
          <DaysFilter />
        </>
      }
      totals={({ orders, totalIdr, paidIdr, refundedIdr = 0 }: NonNullable<OrderTotals>) => [
        t`${plural(orders, { other: '# pesanan' })}`,
        totalIdr !== undefined && formatRupiah(totalIdr),
        paidIdr !== undefined && t`lunas ${formatRupiah(paidIdr)}`,
        refundedIdr > 0 && t`dikembalikan ${formatRupiah(refundedIdr)}`,
      ]}
      fixed={user ? { user } : undefined}
      columns={[
        !user && {
          name: t`Pembeli`,
          as: 'wide',
          cell: ({ buyer: { name, email } }) => <Person name={name} email={email} />,
        },
        {
          name: t`Isi`,
          cell: ({ package: bought, voucher }) => [bought?.name, voucher?.code].filter(Boolean).join(' + '),
        },
        { name: t`Status`, cell: (order) => <OrderBadges order={order} /> },
        { name: t`Metode`, cell: ({ method }) => (method ? methodName(method) : '–') },
        {
          name: t`Jumlah`,
          as: 'number',
          sorts: { ascending: 'total_asc', descending: 'total_desc' },
          cell: ({ totalIdr }) => formatRupiah(totalIdr),
        },
        { name: t`Dibuat`, ...createdAtColumn, cell: ({ createdAt }) => formatDateTime(createdAt) },
      ]}
    />
  )
}

export function OrdersScreen() {
  const { t } = useLingui()
  return (
    <AdminPage title={t`Pesanan`}>
      <Orders />
    </AdminPage>
  )
}
