import { useLingui } from '@lingui/react/macro'
import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import { formatNumber, formatRupiah } from '#client/format.ts'
import { surface } from '#ui/admin/page.tsx'
import type { Dashboard, Figures } from '../../types.ts'

/** Part of a hundred: `3,4 %` */
export function formatShare(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)
}

/** Growth in percent: `+3,4%` */
function formatChange(change: number, locale: string): string {
  const format = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return new Intl.NumberFormat(locale, format).format(change)
}

/** `2,4 dtk` */
export function formatSeconds(seconds: number | null, locale: string): string {
  if (seconds === null) return '–'
  const format = { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, format).format(seconds)
}

function Change({ now, before, lessIsBetter }: { now: number; before: number; lessIsBetter?: boolean | undefined }) {
  const { i18n, t } = useLingui()
  // A start from next to nothing says nothing in percent.
  if (before === 0 || now > before * 10) return <span className="text-muted text-xs">{t`belum ada pembanding`}</span>
  const change = (now - before) / before
  const level = Math.abs(change) < 0.005
  const good = lessIsBetter ? change < 0 : change > 0
  const Icon = level ? Minus : change > 0 ? TrendingUp : TrendingDown
  return (
    <span className={`flex items-center gap-1 text-xs ${level ? 'text-muted' : good ? 'text-success' : 'text-error'}`}>
      <Icon aria-hidden className="size-3.5" />
      {formatChange(change, i18n.locale)}
      <span className="sr-only">{t`dibanding periode sebelumnya`}</span>
    </span>
  )
}

interface Tile {
  name: string
  of: (figures: Figures) => number
  show: (value: number) => string
  lessIsBetter?: boolean
}

/** The figures of the period beside those of the one before. */
export function FigureTiles({ now, before }: Pick<Dashboard, 'now' | 'before'>) {
  const { i18n, t } = useLingui()
  const share = (value: number) => formatShare(value, i18n.locale)
  const tiles: Tile[] = [
    { name: t`Pendapatan`, of: ({ revenueIdr }) => revenueIdr, show: formatRupiah },
    { name: t`Pesanan lunas`, of: ({ orders }) => orders, show: formatNumber },
    { name: t`Pengguna baru`, of: ({ newUsers }) => newUsers, show: formatNumber },
    { name: t`Pengguna aktif`, of: ({ activeUsers }) => activeUsers, show: formatNumber },
    { name: t`Pembuatan`, of: ({ generations }) => generations, show: formatNumber },
    {
      name: t`Tingkat gagal`,
      of: ({ generations, failed }) => (generations === 0 ? 0 : failed / generations),
      show: share,
      lessIsBetter: true,
    },
    {
      name: t`Median durasi`,
      of: ({ medianSeconds }) => medianSeconds ?? 0,
      show: (value) => formatSeconds(value === 0 ? null : value, i18n.locale),
      lessIsBetter: true,
    },
    { name: t`Kredit terpakai`, of: ({ creditsSpent }) => creditsSpent, show: formatNumber },
  ]
  return (
    <dl className="mb-3 grid grid-cols-2 gap-3 lg:grid-cols-4">
      {tiles.map(({ name, of, show, lessIsBetter }) => (
        <div key={name} className={`${surface} stat gap-y-0.5 px-4 py-3`}>
          <dt className="stat-title">{name}</dt>
          <dd className="stat-value tabular-nums">{show(of(now))}</dd>
          <dd className="stat-desc">
            <Change now={of(now)} before={of(before)} lessIsBetter={lessIsBetter} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
