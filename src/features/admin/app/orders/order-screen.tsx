import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { formatDateTime, formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import type { AdminOrderView } from '#features/billing/admin/types.ts'
import { methodName, statusLabels } from '#features/billing/labels.ts'
import { isOpenOrder, type OrderStatus, orderStatus } from '#features/billing/rules.ts'
import { Person } from '#ui/admin/badge.tsx'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Code, Facts, Nothing, Panel } from '#ui/admin/page.tsx'
import { ReasonDialog } from '#ui/admin/reason-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { orderQuery, paths } from '../calls.ts'
import { useCrumb } from '../frame/crumbs.tsx'
import { actorWords, changeWords, driverWords, problemLabels } from '../words.ts'
import { OrderState } from './orders-table.tsx'
import { Proof } from './proof.tsx'

function Terms({ order }: { order: AdminOrderView }) {
  const { i18n, t } = useLingui()
  const { package: bought, voucher } = order
  const contents = bought && (bought.credits === null ? t`tanpa batas` : t`${formatNumber(bought.credits)} kredit`)
  return (
    <Panel title={t`Isi pesanan`}>
      <Facts
        items={[
          [
            t`Pembeli`,
            <Link key="buyer" to={`/admin/users/${order.buyer.id}`} className="link link-hover font-semibold">
              <Person name={order.buyer.name} email={order.buyer.email} />
            </Link>,
          ],
          bought && [t`Paket`, `${bought.name} · ${formatDollars(bought.cents / 100)} · ${contents}`],
          voucher && [t({ message: 'Voucher', context: 'a single one' }), voucher.code],
          [t`Subtotal`, formatRupiah(order.subtotalIdr)],
          order.discountIdr > 0 && [t`Potongan`, formatRupiah(-order.discountIdr)],
          [t`Total`, <strong key="total">{formatRupiah(order.totalIdr)}</strong>],
          order.method && [t`Metode`, methodName(order.method)],
          order.driver && [t`Jalur bayar`, i18n._(driverWords[order.driver])],
          order.receiptNumber && [t`Kuitansi`, order.receiptNumber],
          [t`Dibuat`, formatDateTime(order.createdAt)],
          order.paidAt && [t`Dibayar`, formatDateTime(order.paidAt)],
          ['ID', <Code key="id">{order.id}</Code>],
        ]}
      />
    </Panel>
  )
}

function History({ history }: Pick<AdminOrderView, 'history'>) {
  const { i18n, t } = useLingui()
  return (
    <Panel title={t`Riwayat`}>
      <ol>
        {history.toReversed().map(({ to, by, reason, at }) => (
          <li key={`${at} ${to}`} className="border-line border-b px-4 py-2.5 last:border-0">
            <p className="font-semibold">{i18n._(statusLabels[to])}</p>
            <p>{changeWords[reason] ? i18n._(changeWords[reason]) : reason}</p>
            <p className="text-muted text-xs">
              {i18n._(actorWords[by])} · {formatDateTime(at)}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Payments({ payments, onSettle }: Pick<AdminOrderView, 'payments'> & { onSettle: (id: string) => void }) {
  const { i18n, t } = useLingui()
  return (
    <Panel title={t`Uang yang masuk`}>
      {payments.length === 0 ? (
        <Nothing>{t`Belum ada uang yang masuk.`}</Nothing>
      ) : (
        <ul>
          {payments.map(({ id, amount, currency, problem, receivedAt, settlement }) => (
            <li key={id} className="flex items-center gap-3 border-line border-b px-4 py-2.5 last:border-0">
              <span className="flex-1">
                <span className="tabular-nums block font-semibold">
                  {currency === 'IDR' ? formatRupiah(amount) : `${formatNumber(amount)} ${currency}`}
                </span>
                <span className="text-muted text-xs">{formatDateTime(receivedAt)}</span>
                {problem && <span className="block text-error">{i18n._(problemLabels[problem])}</span>}
                {settlement && <span className="block">{settlement}</span>}
              </span>
              {problem && settlement === null && (
                <Button variant="outline" onClick={() => onSettle(id)}>{t`Selesaikan`}</Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/**
 * A decision, about the state that was shown when it was asked for: should another admin change it
 * meanwhile, it is refused.
 */
type Task = { decide: 'confirm' | 'cancel'; status: OrderStatus } | { settle: string }

/** /admin/billing/{id}: an order with its history and its money, and the decision about it. */
export function OrderScreen() {
  const { t } = useLingui()
  const { id = '' } = useParams()
  const query = useQuery(orderQuery(id))
  const [task, setTask] = useState<Task | null>(null)
  const order = query.data
  const name = order && (order.receiptNumber ?? order.id.slice(-8))
  useCrumb(query.error ? id.slice(-8) : name)
  const close = () => setTask(null)
  if (!order) {
    return (
      <AdminPage title={t`Pesanan`}>
        <Loaded query={query}>{() => null}</Loaded>
      </AdminPage>
    )
  }
  return (
    <AdminPage
      title={t`Pesanan ${name}`}
      heading={
        <span className="flex flex-wrap items-center gap-3">
          {t`Pesanan ${name}`} <OrderState order={order} />
        </span>
      }
      actions={
        <div className="flex gap-2">
          {order.status !== orderStatus.paid && (
            <Button
              variant={isOpenOrder(order) ? 'primary' : 'outline'}
              onClick={() => setTask({ decide: 'confirm', status: order.status })}
            >{t`Konfirmasi lunas`}</Button>
          )}
          {isOpenOrder(order) && (
            <Button
              variant="outline"
              onClick={() => setTask({ decide: 'cancel', status: order.status })}
            >{t`Batalkan pesanan`}</Button>
          )}
        </div>
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Terms order={order} />
        <div className="grid gap-4">
          {order.proofSent && <Proof orderId={order.id} />}
          <Payments payments={order.payments} onSettle={(settle) => setTask({ settle })} />
          <History history={order.history} />
        </div>
      </div>
      {task && 'decide' in task && task.decide === 'confirm' && (
        <ReasonDialog
          title={t`Uangnya sudah masuk?`}
          text={t`Pesanan menjadi lunas dan kreditnya langsung diberikan. Ini tidak bisa dibatalkan.`}
          confirm={t`Konfirmasi lunas`}
          said={t`Pesanan sudah lunas.`}
          request={(reason) => ({ path: `${paths.orders}/${id}/confirm`, json: { reason, status: task.status } })}
          onClose={close}
        />
      )}
      {task && 'decide' in task && task.decide === 'cancel' && (
        <ReasonDialog
          danger
          title={t`Batalkan pesanan ini?`}
          text={t`Pembeli mendapat alasanmu lewat email.`}
          confirm={t`Batalkan pesanan`}
          said={t`Pesanan sudah dibatalkan.`}
          request={(reason) => ({ path: `${paths.orders}/${id}/cancel`, json: { reason, status: task.status } })}
          onClose={close}
        />
      )}
      {task && 'settle' in task && (
        <ReasonDialog
          title={t`Bagaimana uang ini diselesaikan?`}
          text={t`Misalnya dikembalikan, atau diganti dengan kredit. Setelah itu, statusnya selesai.`}
          confirm={t`Selesaikan`}
          said={t`Sudah diselesaikan.`}
          request={(reason) => ({ path: `/api/admin/payments/${task.settle}/settle`, json: { reason } })}
          onClose={close}
        />
      )}
    </AdminPage>
  )
}
