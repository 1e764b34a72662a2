import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatAge, formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import { Badge } from '#ui/admin/badge.tsx'
import { type Column, ShortTable } from '#ui/admin/data-table.tsx'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Panel } from '#ui/admin/page.tsx'
import { readQuery } from '#ui/admin/queries.ts'
import { ReasonDialog } from '#ui/admin/reason-dialog.tsx'
import { Button } from '#ui/button.tsx'
import { problemLabels } from '../words.ts'
import { checkWords, differenceWords, valueWords } from './words.ts'

interface Difference {
  key: string
  check: string
  what: string
  subjectId: string
  expected: string
  found: string
  userId: string | null
  count: number
  lastSeenAt: string
}

interface Books {
  items: Difference[]
  groups: { check: string; what: string; count: number }[]
  checks: { check: string; startedAt: string; finishedAt: string | null; error: string | null }[]
}

const booksQuery = readQuery<Books>(['books'], '/api/admin/billing_differences')
/** Those that an admin takes care of; the others go by themselves once the books agree. */
const settleable = ['unknown_session', 'unknown_payment']

/** One difference, or all of a kind. */
type Settling = { keys: string[] } | { what: string }

/** /admin/pembukuan: whether the books agree, and what does not. */
export function BooksScreen() {
  const { i18n, t } = useLingui()
  const query = useQuery(booksQuery)
  const wordOf = (words: Record<string, MessageDescriptor>, name: string) => (words[name] ? i18n._(words[name]) : name)
  const amountOf = (text: string) => {
    const [, amount, currency] = /^(-?\d+)( IDR)?$/.exec(text) ?? []
    if (amount === undefined) return wordOf(valueWords, text)
    return currency ? formatRupiah(Number(amount)) : formatNumber(Number(amount))
  }
  const [settling, setSettling] = useState<Settling | null>(null)
  const columns: Column<Difference>[] = [
    {
      id: 'what',
      name: t`Apa`,
      cell: ({ check, what }) => (
        <span>
          <span className="block font-semibold">{wordOf(differenceWords, what)}</span>
          <span className="text-muted text-xs">{wordOf(checkWords, check)}</span>
        </span>
      ),
    },
    {
      id: 'subject',
      name: t`Tentang`,
      wide: true,
      cell: ({ what, subjectId, userId }) =>
        what in problemLabels ? (
          <Link
            to="/admin/billing?problem=true"
            className="link link-hover font-semibold font-mono text-[0.8125rem] break-all"
          >
            {subjectId}
          </Link>
        ) : userId ? (
          <Link
            to={`/admin/users/${userId}?tab=kredit`}
            className="link link-hover font-semibold font-mono text-[0.8125rem]"
          >
            {subjectId.slice(-12)}
          </Link>
        ) : (
          <span className="font-mono text-[0.8125rem] select-all break-all">{subjectId}</span>
        ),
    },
    { id: 'expected', name: t`Seharusnya`, end: true, cell: ({ expected }) => amountOf(expected) },
    { id: 'found', name: t`Ditemukan`, end: true, cell: ({ found }) => amountOf(found) },
    { id: 'count', name: t`Terlihat`, end: true, cell: ({ count }) => `${formatNumber(count)}×` },
    { id: 'seen', name: t`Terakhir`, end: true, cell: ({ lastSeenAt }) => formatAge(lastSeenAt) },
    {
      id: 'settle',
      actions: true,
      name: t`Tindakan`,
      cell: (difference) =>
        settleable.includes(difference.what) && (
          <Button variant="outline" onClick={() => setSettling({ keys: [difference.key] })}>{t`Selesaikan`}</Button>
        ),
    },
  ]
  return (
    <AdminPage title={t`Pembukuan`}>
      <Loaded query={query} height="h-40">
        {(data) => (
          <div className="grid gap-4">
            <Panel title={t`Pemeriksaan`}>
              <ul>
                {data.checks.map(({ check, startedAt, finishedAt, error: failure }) => (
                  <li
                    key={check}
                    className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-2.5 last:border-0"
                  >
                    <span className="flex-1 font-semibold max-md:basis-full">{wordOf(checkWords, check)}</span>
                    {failure && <span className="text-error text-xs">{failure}</span>}
                    <span className="text-muted text-xs">{formatDateTime(finishedAt ?? startedAt)}</span>
                    <Badge tone={failure ? 'bad' : 'good'}>{failure ? t`Gagal` : t`Lancar`}</Badge>
                  </li>
                ))}
              </ul>
            </Panel>
            <Panel
              title={t`Selisih`}
              actions={
                <Link to="/admin/billing?problem=true" className="btn btn-outline border-line">
                  {t`Pembayaran bermasalah`}
                </Link>
              }
            >
              {data.groups
                .filter(({ what, count }) => count > 1 && settleable.includes(what))
                .map(({ what, count }) => (
                  <div key={what} className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-2.5">
                    <span className="tabular-nums flex-1">
                      <strong>{wordOf(differenceWords, what)}</strong> · {formatNumber(count)}×
                    </span>
                    <Button variant="outline" onClick={() => setSettling({ what })}>{t`Selesaikan semua`}</Button>
                  </div>
                ))}
              <ShortTable
                label={t`Selisih`}
                columns={columns}
                rows={data.items}
                keyOf={({ key }) => key}
                empty={t`Pembukuan cocok: tidak ada selisih.`}
              />
            </Panel>
          </div>
        )}
      </Loaded>
      {settling && (
        <ReasonDialog
          title={t`Bagaimana selisih ini diselesaikan?`}
          confirm={t`Selesaikan`}
          said={t`Sudah diselesaikan.`}
          request={(reason) => ({
            path: '/api/admin/billing_differences/settle',
            json: { ...settling, reason },
          })}
          onClose={() => setSettling(null)}
        />
      )}
    </AdminPage>
  )
}
