import { Plural, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Coins, ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { errorText } from '#client/errors.ts'
import { formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import { failureOf } from '#client/query.ts'
import { toolList } from '#tools/tool-list.ts'
import { Button } from '#ui/button.tsx'
import { SkeletonText } from '#ui/skeleton.tsx'
import { entryLabels } from '../labels.ts'
import { orderStatus } from '../rules.ts'
import type { LedgerEntryView, OrderView } from '../types.ts'
import { StatusBadge, useOrderName } from './order-summary.tsx'
import { ledgerQuery, ordersQuery } from './queries.ts'
import { ReceiptButton } from './receipt-button.tsx'

interface Listed {
  error: Error | null
  isPaused: boolean
  isFetching: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  refetch: () => unknown
  fetchNextPage: () => unknown
}

function Section({
  id,
  title,
  empty,
  query,
  children,
}: {
  id: string
  title: string
  /** Said when there is nothing to list. */
  empty: string | null
  query: Listed
  children: ReactNode
}) {
  const { t } = useLingui()
  const failure = children === null ? failureOf(query) : null
  return (
    <section aria-labelledby={id} className="card p-5 md:p-6">
      <h2 id={id} className="mb-2 font-bold text-xl">
        {title}
      </h2>
      {children === null && !failure && <SkeletonText lines={4} />}
      {failure ? (
        <div className="grid justify-items-start gap-3">
          <p className="text-muted">{errorText(failure)}</p>
          <Button variant="soft" busy={query.isFetching} onClick={() => void query.refetch()}>{t`Coba lagi`}</Button>
        </div>
      ) : (
        children
      )}
      {empty && <p className="text-muted leading-relaxed">{empty}</p>}
      {query.hasNextPage && (
        <Button
          variant="soft"
          className="mt-3 w-full"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >{t`Tampilkan lebih banyak`}</Button>
      )}
    </section>
  )
}

function OrderRow({ order }: { order: OrderView }) {
  const nameOf = useOrderName()
  const to = order.status === orderStatus.paid ? `/payment-success?order=${order.id}` : `/checkout?order=${order.id}`
  return (
    <li className="grid gap-1 py-2">
      <Link to={to} className="flex min-h-14 flex-wrap items-center gap-x-3 rounded-field">
        <span className="grid min-w-[min(9rem,100%)] flex-1">
          <span className="truncate font-semibold">{nameOf(order)}</span>
          <span className="text-muted text-sm">
            {formatRupiah(order.totalIdr)} · {formatDateTime(order.createdAt)}
          </span>
        </span>
        <StatusBadge status={order.status} />
      </Link>
      {order.receiptNumber && (
        <div>
          <ReceiptButton id={order.id} number={order.receiptNumber} />
        </div>
      )}
    </li>
  )
}

function Orders() {
  const { t } = useLingui()
  const query = useInfiniteQuery(ordersQuery)
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Section
      id="orders"
      title={t`Pesanan`}
      query={query}
      empty={items?.length === 0 ? t`Belum ada pesanan. Pilih paket untuk mulai.` : null}
    >
      {items ? (
        <ul className="divide-y divide-line">
          {items.map((order) => (
            <OrderRow key={order.id} order={order} />
          ))}
        </ul>
      ) : null}
    </Section>
  )
}

function EntryPicture({ entry }: { entry: LedgerEntryView }) {
  const Icon = entry.order ? ReceiptText : Coins
  return entry.generation?.thumbnailUrl ? (
    <img
      src={entry.generation.thumbnailUrl}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      className="checker size-12 shrink-0 rounded-field object-cover"
    />
  ) : (
    <span className="grid size-12 shrink-0 place-items-center rounded-field bg-soft text-on-soft">
      <Icon aria-hidden className="size-5" />
    </span>
  )
}

function Entry({ entry }: { entry: LedgerEntryView }) {
  const { t, i18n } = useLingui()
  const { generation, order, amount } = entry
  const unlimited = entry.unlimited || (entry.kind === 'purchase' && amount === 0)
  const tool = toolList.find(({ id }) => id === generation?.tool)
  const to = generation ? `/history?id=${generation.id}` : order ? `/payment-success?order=${order.id}` : null
  const about = tool
    ? i18n._(tool.name)
    : order?.packageName && entry.kind !== 'voucher'
      ? t`Paket ${order.packageName}`
      : (order?.voucherCode ?? entry.note)
  const content = (
    <>
      <EntryPicture entry={entry} />
      <span className="grid min-w-[min(8rem,100%)] flex-1">
        <span className="truncate font-semibold">{i18n._(entryLabels[entry.kind])}</span>
        {about && <span className="truncate text-sm">{about}</span>}
        <span className="text-muted text-sm">{formatDateTime(entry.createdAt)}</span>
      </span>
      <span className="ml-auto grid text-right tabular-nums">
        {unlimited ? (
          <span className="font-semibold text-sm">{t`Tanpa batas`}</span>
        ) : (
          <span className={`font-bold ${amount > 0 ? 'text-success' : ''}`}>
            {amount > 0 ? '+' : amount < 0 ? '−' : ''}
            {formatNumber(Math.abs(amount))}
          </span>
        )}
        <span className="text-muted text-sm">
          <Plural value={entry.balanceAfter} other="sisa #" />
        </span>
      </span>
    </>
  )
  const row = 'flex min-h-16 flex-wrap items-center gap-x-3.5 py-2.5'
  return (
    <li>
      {to ? (
        <Link to={to} className={`${row} rounded-field`}>
          {content}
        </Link>
      ) : (
        <div className={row}>{content}</div>
      )}
    </li>
  )
}

function Ledger() {
  const { t } = useLingui()
  const query = useInfiniteQuery(ledgerQuery)
  const items = query.data?.pages.flatMap((page) => page.items)
  return (
    <Section
      id="ledger"
      title={t`Riwayat kredit`}
      query={query}
      empty={items?.length === 0 ? t`Belum ada aktivitas kredit.` : null}
    >
      {items ? (
        <ul className="divide-y divide-line">
          {items.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : null}
    </Section>
  )
}

/** What was ordered, and where every credit came from and went. */
export function Records() {
  return (
    <div className="mt-6 grid grid-cols-1 items-start gap-6 pb-12 lg:grid-cols-2">
      <Orders />
      <Ledger />
    </div>
  )
}
