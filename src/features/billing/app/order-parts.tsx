import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Download, SearchX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#client/api.ts'
import { formatDateTime, formatDollars, formatRupiah } from '#client/format.ts'
import { siteQuery } from '#client/query.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { CreditCount } from '#ui/credit-count.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PageLoadFailed } from '#ui/lists/query-state.tsx'
import { PageSkeleton } from '#ui/skeleton.tsx'
import { useAction } from '#ui/use-action.ts'
import { reasonLabels, statusLabels } from '../labels.ts'
import { paymentMethods } from '../payment-methods.ts'
import { includedPpn, type OrderStatus, orderStatus } from '../rules.ts'
import type { OrderView } from '../schemas.ts'
import { saveReceipt } from './api.ts'
import type { useOrder } from './use-order.ts'

const statusTones: Record<OrderStatus, string> = {
  [orderStatus.awaiting]: 'badge-info',
  [orderStatus.unpaid]: 'badge-warning',
  [orderStatus.paid]: 'badge-success',
  [orderStatus.cancelled]: 'bg-base-300 text-base-content',
}

export function StatusBadge({ status }: Pick<OrderView, 'status'>) {
  const { i18n } = useLingui()
  return (
    <span className={`badge h-auto rounded-full border-0 py-0.5 font-semibold text-xs ${statusTones[status]}`}>
      {i18n._(statusLabels[status])}
    </span>
  )
}

export function useOrderName(): (order: Pick<OrderView, 'package' | 'voucher'>) => string {
  const { t } = useLingui()
  return ({ package: bought, voucher }) => {
    if (bought) return t`Paket ${bought.name}`
    return t`Voucher ${voucher?.code ?? ''}`
  }
}

export const pathOfOrder = ({ id, status }: Pick<OrderView, 'id' | 'status'>): string =>
  `${status === orderStatus.paid ? '/payment-success' : '/checkout'}?order=${id}`

export function SumLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-muted">{name}</dt>
      <dd className="ml-auto text-right tabular-nums">{children}</dd>
    </div>
  )
}

/** Nothing without PPN; a list stored by an older version has no rate. */
export function PpnLine({ percent, totalIdr }: { percent: number | null | undefined; totalIdr: number }) {
  const { t } = useLingui()
  if (!percent || totalIdr === 0) return null
  return <SumLine name={t`Termasuk PPN ${percent}%`}>{formatRupiah(includedPpn(totalIdr, percent))}</SumLine>
}

export function OrderSummary({ order }: { order: OrderView }) {
  const { t, i18n } = useLingui()
  const nameOf = useOrderName()
  const { package: bought, voucher, method } = order
  const credits = (bought ? bought.credits : voucher?.credits) ?? 0
  const gift = bought && voucher ? voucher.credits : 0
  return (
    <section aria-label={t`Rincian pesanan`} className="card grid grid-cols-1 gap-4 p-5">
      <dl className="grid gap-2 text-sm">
        <SumLine name={nameOf(order)}>
          {bought ? `${formatDollars(bought.cents / 100)} · ${formatRupiah(order.subtotalIdr)}` : formatRupiah(0)}
        </SumLine>
        {credits > 0 && (
          <SumLine name={t`Kredit`}>
            <CreditCount count={credits} />
          </SumLine>
        )}
        {bought?.credits === null && <SumLine name={t`Kredit`}>{t`Tanpa batas`}</SumLine>}
        {gift > 0 && (
          <SumLine name={nameOf({ package: null, voucher })}>
            <CreditCount count={gift} />
          </SumLine>
        )}
        {order.discountIdr > order.transferDigits && (
          <SumLine name={nameOf({ package: null, voucher })}>
            {`−${formatRupiah(order.discountIdr - order.transferDigits)}`}
          </SumLine>
        )}
        {order.transferDigits > 0 && (
          <SumLine name={t`Kode unik transfer`}>{`−${formatRupiah(order.transferDigits)}`}</SumLine>
        )}
        {method && <SumLine name={t`Metode`}>{paymentMethods[method].name}</SumLine>}
        <div className="flex flex-wrap justify-between gap-x-4 border-line border-t pt-3 font-bold text-base">
          <dt>{t`Total`}</dt>
          <dd className="ml-auto tabular-nums">{formatRupiah(order.totalIdr)}</dd>
        </div>
        <PpnLine percent={order.ppnPercent} totalIdr={order.totalIdr} />
        {order.receiptNumber && (
          <SumLine name={order.invoiceNumber ? t`Invoice` : t`Kuitansi`}>
            {order.invoiceNumber ?? order.receiptNumber}
          </SumLine>
        )}
      </dl>
      <details className="group -mb-2">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold text-sm [&::-webkit-details-marker]:hidden">
          <span className="flex-1">{t`Riwayat pesanan`}</span>
          <ChevronDown aria-hidden className="size-5 text-muted transition-transform group-open:rotate-180" />
        </summary>
        <ol className="grid gap-2 pb-1 text-sm">
          {order.history.map(({ to, by, reason, at }) => {
            const known = reasonLabels[reason]
            return (
              <li key={`${at} ${to}`} className="flex flex-wrap justify-between gap-x-4">
                <span>
                  {i18n._(statusLabels[to])}
                  {(known || by === 'admin') && (
                    <span className="block text-muted">{known ? i18n._(known) : reason}</span>
                  )}
                </span>
                <time dateTime={at} className="text-muted">
                  {formatDateTime(at)}
                </time>
              </li>
            )
          })}
        </ol>
      </details>
    </section>
  )
}

/** An order with an invoice has no other receipt. */
export function ReceiptButton({ id, number, invoice }: { id: string; number: string; invoice: string | null }) {
  const { t } = useLingui()
  const save = useAction(() => saveReceipt(id, invoice ?? number))
  return (
    <Button variant="soft" className="max-w-full" busy={save.isPending} icon={Download} onClick={() => save.mutate()}>
      <span className="wrap-anywhere min-w-0">
        {invoice ? t`Unduh invoice` : t`Unduh kuitansi`} {invoice ?? number}
      </span>
    </Button>
  )
}

export function useSupportLink() {
  const email = useQuery(siteQuery).data?.supportEmail
  return (
    email && (
      <a href={`mailto:${email}`} className="wrap-anywhere font-semibold text-primary-ink underline underline-offset-2">
        {email}
      </a>
    )
  )
}

export function PaymentHelp({ className = 'text-center text-sm' }) {
  const support = useSupportLink()
  return (
    support && (
      <p className={className}>
        <Trans>Ada pertanyaan? Tulis ke {support}</Trans>
      </p>
    )
  )
}

/** A payment could not be applied: it is not lost, and the notice names a contact. */
export function PaymentProblemNotice({ order: { moneyProblem, status } }: { order: OrderView }) {
  const { t } = useLingui()
  if (moneyProblem === null) return null
  return (
    <div role="status" className="flex gap-3 rounded-box bg-warning/12 px-5 py-4 leading-relaxed">
      <TriangleAlert aria-hidden className="mt-1 size-5 shrink-0 text-warning" />
      <div>
        <p>
          {moneyProblem === 'paid_again' || status === orderStatus.paid
            ? t`Pesanan ini dibayar lebih dari sekali. Kelebihannya tercatat, dan kami mengurusnya.`
            : t`Uang yang masuk tidak sama dengan total pesanan ini, jadi kreditnya belum masuk. Uangmu tercatat, dan kami memeriksanya.`}
        </p>
        <PaymentHelp className="mt-1" />
      </div>
    </div>
  )
}

/** Opens a new tab, so that the order stays open. */
export function PolicyLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className="font-semibold text-primary-ink underline underline-offset-2"
    >
      {children}
    </a>
  )
}

/** `id` is empty if the address names none. */
export function OrderMissing({ id, query }: { id: string; query: ReturnType<typeof useOrder> }) {
  const { t } = useLingui()
  const orders = <LinkButton to="/billing" variant="outline">{t`Lihat pesananku`}</LinkButton>
  const unknown = id === '' || (query.error instanceof ApiError && query.error.status === 404)
  return (
    <div className="page pb-12">
      <h1 className="sr-only">{t`Pembayaran`}</h1>
      {unknown ? (
        <EmptyState
          picture={<SearchX aria-hidden className="size-12 text-muted" />}
          title={t`Pesanan tidak ditemukan`}
          action={orders}
        />
      ) : (
        <PageLoadFailed queries={[query]} title={t`Pesanan belum bisa ditampilkan`} action={orders}>
          <PageSkeleton className="mx-auto grid w-full max-w-xl gap-4 py-10" shapes={['h-24', 'h-72']} />
        </PageLoadFailed>
      )}
    </div>
  )
}
