import { Plural, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Coins, ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { errorText } from '#client/api.ts'
import { formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import { failureOf } from '#client/query.ts'
import { allToolEntries } from '#tools/tool-list.ts'
import { Button } from '#ui/button.tsx'
import { DataAge } from '#ui/data-age.tsx'
import { SkeletonText } from '#ui/skeleton.tsx'
import { entryLabels } from '../labels.ts'
import type { LedgerEntryView, OrderView } from '../schemas.ts'
import { type ListQuery, ledgerQuery, ordersQuery } from './api.ts'
import { pathOfOrder, ReceiptButton, StatusBadge, useOrderName } from './order-parts.tsx'

interface Item {
  id: string | number
}

function Section<Listed extends Item>({
  id,
  title,
  empty,
  query,
  row: Row,
}: {
  id: string
  title: string
  empty: string
  query: ListQuery<Listed>
  row: (props: { item: Listed }) => ReactNode
}) {
  const { t } = useLingui()
  const list = useInfiniteQuery(query)
  const items = list.data?.pages.flatMap((page) => page.items)
  const failure = items ? null : failureOf(list)
  return (
    <section aria-labelledby={id} className="card p-5 md:p-6">
      <h2 id={id} className="mb-2 font-bold text-xl">
        {title}
      </h2>
      {items && <DataAge updatedAt={list.dataUpdatedAt} />}
      {!items && !failure && <SkeletonText lines={4} />}
      {failure && (
        <div className="grid justify-items-start gap-3">
          <p className="text-muted">{errorText(failure)}</p>
          <Button variant="soft" busy={list.isFetching} onClick={() => void list.refetch()}>{t`Coba lagi`}</Button>
        </div>
      )}
      <ul className="divide-y divide-line">
        {items?.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </ul>
      {items?.length === 0 && <p className="text-muted leading-relaxed">{empty}</p>}
      {list.hasNextPage && (
        <Button
          variant="soft"
          className="mt-3 w-full"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >{t`Tampilkan lebih banyak`}</Button>
      )}
    </section>
  )
}

function OrderRow({ item: order }: { item: OrderView }) {
  const nameOf = useOrderName()
  return (
    <li className="grid grid-cols-1 gap-1 py-2">
      <Link to={pathOfOrder(order)} className="flex min-h-14 flex-wrap items-center gap-x-3 rounded-field">
        <span className="grid min-w-[min(9rem,100%)] flex-1">
          <span className="wrap-anywhere font-semibold">{nameOf(order)}</span>
          <span className="text-muted text-sm">
            {formatRupiah(order.totalIdr)} · {formatDateTime(order.createdAt)}
          </span>
        </span>
        <StatusBadge status={order.status} />
      </Link>
      {order.receiptNumber && (
        <div>
          <ReceiptButton id={order.id} number={order.receiptNumber} invoice={order.invoiceNumber} />
        </div>
      )}
    </li>
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

function Entry({ item: entry }: { item: LedgerEntryView }) {
  const { t, i18n } = useLingui()
  const { generation, order, amount } = entry
  const unlimited = entry.unlimited || (entry.kind === 'purchase' && amount === 0)
  const tool = allToolEntries.find(({ id }) => id === generation?.tool)
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
        <span className="wrap-anywhere font-semibold">{i18n._(entryLabels[entry.kind])}</span>
        {about && <span className="wrap-anywhere text-sm">{about}</span>}
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
          <Plural value={entry.balanceAfter} other="saldo #" />
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

export function Records() {
  const { t } = useLingui()
  return (
    <div className="mt-6 grid grid-cols-1 items-start gap-6 pb-12 lg:grid-cols-2">
      <Section
        id="orders"
        title={t`Pesanan`}
        query={ordersQuery}
        empty={t`Belum ada pesanan. Pilih paket untuk mulai.`}
        row={OrderRow}
      />
      <Section
        id="ledger"
        title={t`Riwayat kredit`}
        query={ledgerQuery}
        empty={t`Belum ada aktivitas kredit.`}
        row={Entry}
      />
    </div>
  )
}
