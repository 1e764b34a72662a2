import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { formatDateTime, formatRupiah } from '#client/format.ts'
import { AssignedCell, AssignedFilter } from '#features/assignments/app/admin/assignments.tsx'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { ChoiceFilter, CsvButton, DaysFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { List } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { usePermission } from '#ui/admin/permissions.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Badge, Person } from '#ui/lists/cells.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { AdminOrderView, ConfirmedOrders, OrderTotals } from '../../admin/schemas.ts'
import { methodName, statusLabels } from '../../labels.ts'
import { methodIds } from '../../payment-methods.ts'
import { isOpenOrder } from '../../rules.ts'
import { driverLabels, orderTones, problemLabels, refundLabels } from './labels.ts'

export function OrderBadges({
  order,
}: {
  order: Pick<AdminOrderView, 'status' | 'moneyProblem' | 'refundedIdr' | 'refundableIdr'>
}) {
  const { i18n } = useLingui()
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={orderTones[order.status]}>{i18n._(statusLabels[order.status])}</Badge>
      {order.refundedIdr > 0 && (
        <Badge tone="warn">{i18n._(refundLabels[order.refundableIdr > 0 ? 'partly' : 'fully'])}</Badge>
      )}
      {order.moneyProblem && <Badge tone="bad">{i18n._(problemLabels[order.moneyProblem])}</Badge>}
    </span>
  )
}

const methodChoices = Object.fromEntries(methodIds.map((id) => [id, methodName(id)]))

/** Orders that are paid or cancelled are only exported. */
function ChosenOrders({ chosen }: { chosen: AdminOrderView[] }) {
  const { t } = useLingui()
  const may = usePermission()
  const open = chosen.filter(isOpenOrder)
  const sum = formatRupiah(open.reduce((total, { totalIdr }) => total + totalIdr, 0))
  const outcome = ({ items }: ConfirmedOrders) => {
    const count = (wanted: string) => items.filter(({ outcome }) => outcome === wanted).length
    const [paid, waiting, refused] = [count('paid'), count('waiting'), count('refused')]
    return [
      t`${plural(paid, { other: '# pesanan lunas' })}`,
      waiting > 0 && t`${plural(waiting, { other: '# menunggu persetujuan' })}`,
      refused > 0 && t`${plural(refused, { other: '# ditolak' })}`,
    ]
      .filter(Boolean)
      .join(', ')
  }
  return (
    <>
      <span className="font-semibold">{t`${plural(chosen.length, { other: '# dipilih' })}`}</span>
      {may('money') && open.length > 0 && (
        <DialogButton
          dialog={
            <FormDialog
              reason
              title={t`${plural(open.length, { other: 'Uang # pesanan ini sudah masuk?' })}`}
              text={t`Totalnya ${sum}. Pesanan menjadi lunas sesuai totalnya dan kreditnya langsung diberikan. Ini tidak bisa dibatalkan.`}
              confirm={t`Konfirmasi lunas`}
              successMessage={outcome}
              change={{ path: 'orders/confirm', json: { orders: open.map(({ id, status }) => ({ id, status })) } }}
            />
          }
        >{t`Konfirmasi lunas`}</DialogButton>
      )}
      <CsvButton
        path="orders"
        name="rupa-orders"
        label={t`Ekspor yang dipilih`}
        params={{ ids: chosen.map(({ id }) => id).join() }}
      />
    </>
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
          <ChoiceFilter name="method" label={t`Metode`} all={t`Semua metode`} choices={methodChoices} />
          <ChoiceFilter name="driver" label={t`Gerbang pembayaran`} all={t`Semua gerbang`} choices={driverLabels} />
          <ChoiceFilter
            name="problem"
            label={t`Masalah`}
            all={t`Semua pembayaran`}
            choices={{ true: t`Pembayaran bermasalah` }}
          />
          <ChoiceFilter name="refund" label={t`Pengembalian`} all={t`Semua pengembalian`} choices={refundLabels} />
          {!user && <AssignedFilter />}
          <DaysFilter />
        </>
      }
      totals={({ orders, totalIdr, paidIdr, refundedIdr = 0, netIdr }: NonNullable<OrderTotals>) => [
        t`${plural(orders, { other: '# pesanan' })}`,
        totalIdr !== undefined && formatRupiah(totalIdr),
        paidIdr !== undefined && t`lunas ${formatRupiah(paidIdr)}`,
        refundedIdr > 0 && t`dikembalikan ${formatRupiah(refundedIdr)}`,
        refundedIdr > 0 && netIdr !== undefined && t`bersih ${formatRupiah(netIdr)}`,
      ]}
      fixed={user ? { user } : undefined}
      bulk={(chosen) => <ChosenOrders chosen={chosen} />}
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
          cell: ({ totalIdr, receivedIdr, refundedIdr }) => (
            <>
              {formatRupiah(totalIdr)}
              {refundedIdr > 0 && (
                <span className="block text-muted text-xs">{t`bersih ${formatRupiah(receivedIdr - refundedIdr)}`}</span>
              )}
            </>
          ),
        },
        !user && { name: t`Ditangani`, cell: (order) => <AssignedCell {...order} /> },
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
