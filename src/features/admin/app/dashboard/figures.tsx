import { useLingui } from '@lingui/react/macro'
import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import { formatGrowth, formatNumber, formatRupiah, formatSeconds, formatShare } from '#client/format.ts'
import type { Dashboard, Figures } from '../../types.ts'

function Growth({ now, before, lessIsBetter }: { now: number; before: number; lessIsBetter: boolean }) {
  const { t } = useLingui()
  // A start from next to nothing says nothing in percent.
  if (before === 0 || now > before * 10) return <span className="text-muted text-xs">{t`belum ada pembanding`}</span>
  const growth = (now - before) / before
  const level = Math.abs(growth) < 0.005
  const good = lessIsBetter ? growth < 0 : growth > 0
  const Icon = level ? Minus : growth > 0 ? TrendingUp : TrendingDown
  return (
    <span className={`flex items-center gap-1 text-xs ${level ? 'text-muted' : good ? 'text-success' : 'text-error'}`}>
      <Icon aria-hidden className="size-3.5" />
      {formatGrowth(growth)}
      <span className="sr-only">{t`dibanding periode sebelumnya`}</span>
    </span>
  )
}

/** The figures of the period beside those of the one before. */
export function FigureTiles({ now, before }: Pick<Dashboard, 'now' | 'before'>) {
  const { t } = useLingui()
  const failedShare = ({ generations, failed }: Figures) => (generations === 0 ? 0 : failed / generations)
  const median = ({ medianSeconds }: Figures) => medianSeconds ?? 0
  const tiles: [string, (figures: Figures) => number, (value: number) => string, lessIsBetter?: true][] = [
    [t`Pendapatan`, ({ revenueIdr }) => revenueIdr, formatRupiah],
    [t`Pesanan lunas`, ({ orders }) => orders, formatNumber],
    [t`Pengguna baru`, ({ newUsers }) => newUsers, formatNumber],
    [t`Pengguna aktif`, ({ activeUsers }) => activeUsers, formatNumber],
    [t`Pembuatan`, ({ generations }) => generations, formatNumber],
    [t`Tingkat gagal`, failedShare, formatShare, true],
    [t`Median durasi`, median, (value) => formatSeconds(value === 0 ? null : value), true],
    [t`Kredit terpakai`, ({ creditsSpent }) => creditsSpent, formatNumber],
  ]
  return (
    <dl className="mb-3 grid grid-cols-2 gap-3 lg:grid-cols-4">
      {tiles.map(([name, of, show, lessIsBetter = false]) => (
        <div key={name} className="card stat min-w-0 gap-y-0.5 px-4 py-3 shadow-xs">
          <dt className="stat-title text-muted">{name}</dt>
          <dd className="stat-value font-bold text-[clamp(1.0625rem,4.4vw,1.375rem)] tracking-tight tabular-nums">
            {show(of(now))}
          </dd>
          <dd className="stat-desc">
            <Growth now={of(now)} before={of(before)} lessIsBetter={lessIsBetter} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
