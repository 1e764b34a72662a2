import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatRupiah } from '#client/format.ts'
import type { AdminOrderView } from '#features/billing/admin/types.ts'
import { methodName, statusLabels } from '#features/billing/labels.ts'
import { orderStatus } from '#features/billing/rules.ts'
import { Badge, Person } from '#ui/admin/badge.tsx'
import { type Column, DataTable } from '#ui/admin/data-table.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { CsvButton, Filter, SearchField, Toolbar } from '#ui/admin/toolbar.tsx'
import { ordersQuery, paths } from '../calls.ts'
import { driverWords, orderTones, problemLabels } from '../words.ts'

export function OrderState({ order }: { order: Pick<AdminOrderView, 'status' | 'moneyProblem'> }) {
  const { i18n } = useLingui()
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={orderTones[order.status]}>{i18n._(statusLabels[order.status])}</Badge>
      {order.moneyProblem && <Badge tone="bad">{i18n._(problemLabels[order.moneyProblem])}</Badge>}
    </span>
  )
}

/** Orders by whatever the address says; `fixed` narrows them to one person's. */
export function OrdersTable({ fixed }: { fixed?: { user: string } }) {
  const { i18n, t } = useLingui()
  const address = useListAddress()
  const { tab: _, ...filters } = address.params
  const params = { limit: '25', ...filters, ...fixed }
  const query = useQuery(ordersQuery(params))
  const columns: Column<AdminOrderView>[] = [
    ...(fixed
      ? []
      : [
          {
            id: 'buyer',
            name: t`Pembeli`,
            wide: true as const,
            cell: ({ buyer }: AdminOrderView) => <Person name={buyer.name} email={buyer.email} />,
          },
        ]),
    {
      id: 'what',
      name: t`Isi`,
      cell: ({ package: bought, voucher }) => [bought?.name, voucher?.code].filter(Boolean).join(' + '),
    },
    { id: 'status', name: t`Status`, cell: (order) => <OrderState order={order} /> },
    { id: 'method', name: t`Metode`, cell: ({ method }) => (method ? methodName(method) : '–') },
    { id: 'total', name: t`Jumlah`, end: true, cell: ({ totalIdr }) => formatRupiah(totalIdr) },
    {
      id: 'created',
      name: t`Dibuat`,
      end: true,
      sorts: { ascending: 'oldest', descending: 'newest' },
      cell: ({ createdAt }) => formatDateTime(createdAt),
    },
  ]
  return (
    <>
      <Toolbar>
        {!fixed && <SearchField address={address} label={t`Email, nomor kuitansi, atau ID`} />}
        <Filter
          address={address}
          name="status"
          label={t`Status`}
          all={t`Semua status`}
          choices={Object.values(orderStatus).map((status) => [String(status), i18n._(statusLabels[status])])}
        />
        <Filter
          address={address}
          name="driver"
          label={t`Jalur bayar`}
          all={t`Semua jalur`}
          choices={Object.entries(driverWords).map(([driver, word]) => [driver, i18n._(word)])}
        />
        <Filter
          address={address}
          name="problem"
          label={t`Masalah`}
          all={t`Semua pembayaran`}
          choices={[['true', t`Pembayaran bermasalah`]]}
        />
        <CsvButton path={paths.orders} params={{ ...filters, ...fixed }} name="rupa-orders" />
      </Toolbar>
      <DataTable
        label={t`Pesanan`}
        query={query}
        address={address}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/admin/billing/${id}`}
        defaultSort="newest"
        empty={t`Tidak ada pesanan yang cocok dengan saringan ini.`}
      />
    </>
  )
}
