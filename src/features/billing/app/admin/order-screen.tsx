import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { formatDateTime, formatDollars, formatNumber, formatRupiah, parseNumber } from '#client/format.ts'
import { AssignedCell, AssigneeSelect } from '#features/assignments/app/admin/assignments.tsx'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { AdminPage, useCrumb } from '#ui/admin/page.tsx'
import { ActRefusal, useActRefusal, usePermission } from '#ui/admin/permissions.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { TextField } from '#ui/field.tsx'
import { Person } from '#ui/lists/cells.tsx'
import { Code, Detail, Details, Panel, Rows, TextLink } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import type { AdminOrderView } from '../../admin/schemas.ts'
import { methodName, statusLabels } from '../../labels.ts'
import { isOpenOrder, orderStatus } from '../../rules.ts'
import { actorLabels, driverLabels, orderReasonLabels } from './labels.ts'
import { Attempts, Payments, RefundDialog, Refunds } from './order-money.tsx'
import { OrderBadges } from './orders-screen.tsx'

function Terms({ order }: { order: AdminOrderView }) {
  const { i18n, t } = useLingui()
  const { package: bought, voucher } = order
  const contents = bought && (bought.credits === null ? t`tanpa batas` : t`${formatNumber(bought.credits)} kredit`)
  return (
    <Panel title={t`Isi pesanan`}>
      <Details>
        <Detail name={t`Pembeli`}>
          <TextLink to={`/admin/users/${order.buyer.id}`}>
            <Person name={order.buyer.name} email={order.buyer.email} />
          </TextLink>
        </Detail>
        <Detail name={t`Paket`}>
          {bought && `${bought.name} · ${formatDollars(bought.cents / 100)} · ${contents}`}
        </Detail>
        <Detail name={t({ message: 'Voucher', context: 'a single one' })}>{voucher?.code}</Detail>
        <Detail name={t`Subtotal`}>{formatRupiah(order.subtotalIdr)}</Detail>
        <Detail name={t`Potongan`}>
          {order.discountIdr > order.transferDigits && formatRupiah(order.transferDigits - order.discountIdr)}
        </Detail>
        <Detail name={t`Kode unik transfer`}>{order.transferDigits > 0 && formatRupiah(-order.transferDigits)}</Detail>
        <Detail name={t`Total`}>
          <strong>{formatRupiah(order.totalIdr)}</strong>
        </Detail>
        <Detail name={t`Termasuk PPN`}>{order.ppnPercent !== null && formatRupiah(order.ppnIdr)}</Detail>
        <Detail name={t`Metode`}>{order.method && methodName(order.method)}</Detail>
        <Detail name={t`Gerbang pembayaran`}>{order.driver && i18n._(driverLabels[order.driver])}</Detail>
        <Detail name={t`Kuitansi`}>{order.receiptNumber}</Detail>
        <Detail name={t`Invoice`}>{order.invoiceNumber}</Detail>
        <Detail name={t`Invoice untuk`}>
          {order.invoiceBuyer &&
            `${order.invoiceBuyer.company} · NPWP ${order.invoiceBuyer.npwp} · ${order.invoiceBuyer.address}`}
        </Detail>
        <Detail name={t`Ditangani`}>
          <span className="grid gap-1">
            <AssigneeSelect work="order" path={`orders/${order.id}`} assignee={order.assignee} />
            {order.dueAt && <AssignedCell assignee={null} dueAt={order.dueAt} />}
          </span>
        </Detail>
        <Detail name={t`Dibuat`}>{formatDateTime(order.createdAt)}</Detail>
        <Detail name={t`Dibayar`}>{order.paidAt && formatDateTime(order.paidAt)}</Detail>
        <Detail name="ID">
          <Code>{order.id}</Code>
        </Detail>
      </Details>
    </Panel>
  )
}

function History({ history }: Pick<AdminOrderView, 'history'>) {
  const { i18n, t } = useLingui()
  return (
    <Panel title={t`Riwayat`}>
      <Rows
        rows={history.toReversed().map(({ to, by, actor, reason, at }) => ({
          key: `${at} ${to}`,
          title: i18n._(statusLabels[to]),
          text: orderReasonLabels[reason] ? i18n._(orderReasonLabels[reason]) : reason,
          note: `${actor ?? i18n._(actorLabels[by])} · ${formatDateTime(at)}`,
        }))}
      />
    </Panel>
  )
}

/** If another admin changes the order meanwhile, the decision is refused. */
function Decisions({ order }: { order: AdminOrderView }) {
  const { t } = useLingui()
  const { id, status, totalIdr, refundableIdr } = order
  const isOpen = isOpenOrder({ status })
  const refusal = useActRefusal()(order.buyer)
  if (refusal) return <ActRefusal>{refusal}</ActRefusal>
  return (
    <div className="flex gap-2">
      {status !== orderStatus.paid && (
        <DialogButton
          variant={isOpen ? 'primary' : 'outline'}
          dialog={
            <FormDialog
              reason
              title={t`Uangnya sudah masuk?`}
              text={t`Pesanan menjadi lunas dan kreditnya langsung diberikan. Ini tidak bisa dibatalkan.`}
              confirm={t`Konfirmasi lunas`}
              successMessage={t`Pesanan sudah lunas.`}
              values={{ receivedIdr: String(totalIdr) }}
              change={({ receivedIdr }) => ({
                path: `orders/${id}/confirm`,
                json: { status, receivedIdr: parseNumber(receivedIdr) },
              })}
              texts={{ receivedIdr: t`Rupiah bulat, lebih dari 0` }}
            >
              {({ field }) => (
                <TextField
                  label={t`Rupiah yang masuk`}
                  hint={t`Diminta ${formatRupiah(totalIdr)}`}
                  inputMode="numeric"
                  {...field('receivedIdr')}
                />
              )}
            </FormDialog>
          }
        >{t`Konfirmasi lunas`}</DialogButton>
      )}
      {isOpen && (
        <DialogButton
          dialog={
            <FormDialog
              reason
              danger
              title={t`Batalkan pesanan ini?`}
              text={t`Pembeli mendapat alasanmu lewat email.`}
              confirm={t`Batalkan pesanan`}
              successMessage={t`Pesanan sudah dibatalkan.`}
              change={{ path: `orders/${id}/cancel`, json: { status } }}
            />
          }
        >{t`Batalkan pesanan`}</DialogButton>
      )}
      {refundableIdr > 0 && <DialogButton dialog={<RefundDialog order={order} />}>{t`Kembalikan uang`}</DialogButton>}
    </div>
  )
}

export function OrderScreen() {
  const { t } = useLingui()
  const { id = '' } = useParams()
  const may = usePermission()
  const query = useQuery(adminQuery<AdminOrderView>(`orders/${id}`))
  const { data: order } = query
  const name = order?.receiptNumber ?? id.slice(-8)
  useCrumb(order || query.error ? name : undefined)
  return (
    <AdminPage
      title={order ? t`Pesanan ${name}` : t`Pesanan`}
      badge={order && <OrderBadges order={order} />}
      actions={order && may('money') && <Decisions order={order} />}
    >
      <Loaded query={query}>
        {(order) => (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Terms order={order} />
            <div className="grid gap-4">
              {order.proofSent && (
                <Panel title={t`Bukti transfer`}>
                  <div className="p-4">
                    <PrivatePicture
                      path={`/api/admin/orders/${id}/proof`}
                      alt={t`Bukti transfer dari pembeli`}
                      label={t`Buka gambarnya`}
                    />
                  </div>
                </Panel>
              )}
              <Payments order={order} />
              {order.attempts.length > 0 && <Attempts attempts={order.attempts} />}
              {order.refunds.length + order.gatewayRefunds.length > 0 && <Refunds {...order} />}
              <History history={order.history} />
            </div>
          </div>
        )}
      </Loaded>
    </AdminPage>
  )
}
