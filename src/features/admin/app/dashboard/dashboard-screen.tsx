import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Minus, TrendingDown, TrendingUp, TriangleAlert } from 'lucide-react'
import { serverNow } from '#client/device/server-time.ts'
import {
  formatAge,
  formatBytes,
  formatGrowth,
  formatNumber,
  formatRupiah,
  formatSeconds,
  formatShare,
} from '#client/format.ts'
import { usePermission } from '#ui/admin/permissions.tsx'
import { adminQuery, useChange } from '#ui/admin/queries.ts'
import type { Dashboard, Figures, Health } from '../../schemas.ts'
import '#ui/late-components.css'
import { type ReactNode, Suspense, useMemo } from 'react'
import { Link } from 'wouter'
import { lazyComponent } from '#client/lazy.ts'
import { useToolName } from '#tools/tool-name.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { SelectField } from '#ui/field.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { EmptyMessage, Panel, TextLink } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { OpenItem } from '../../contributions.ts'
import { type NoticeMode, type Period, periods } from '../../rules.ts'
import { dashboardQuery } from '../frame/frame.tsx'
import type { Series } from './chart.tsx'

type Item = Health['items'][number]

function OperatorProblems() {
  const { t } = useLingui()
  const { data } = useQuery({
    ...adminQuery<Health>('health'),
    refetchInterval: 60_000,
    enabled: usePermission()('control'),
  })
  const since = (seconds = 0) => formatAge(serverNow() - seconds * 1000)
  const sentences: Record<Item['name'], (item: Item) => string> = {
    disk: ({ value = 0 }) => t`Ruang disk hampir habis: sisa ${formatBytes(value)}. Unggahan ditolak di bawah 64 MB.`,
    queue: ({ value }) => t`Ada pembuatan yang menunggu sejak ${since(value)}. Periksa apakah worker berjalan.`,
    mails: ({ value }) => t`Ada email yang belum terkirim sejak ${since(value)}. Periksa SMTP_URL.`,
    workers: () => t`Tidak ada worker yang berjalan, jadi pembuatan dan email menunggu. Jalankan satu.`,
    jobs: ({ value }) => t`Ada pekerjaan latar yang gagal sejak ${since(value)}. Sebabnya ada di log.`,
    backup: ({ value }) => t`Cadangan seharusnya sudah dibuat ${since(value)}. Periksa tujuannya.`,
    backup_refused: () =>
      t`Isi basis data jauh lebih sedikit daripada cadangan terakhir, jadi cadangan otomatis berhenti. Pulihkan dengan npm run restore, atau lanjutkan dengan npm run backup -- --force.`,
    payments: ({ value }) =>
      t`${{ failures: value }} pembayaran berturut-turut gagal dibuat di gerbang pembayaran. Periksa kuncinya dan status layanannya.`,
    payment_circuit: () =>
      t`Gerbang pembayaran terus gagal, jadi sementara tidak dihubungi. Periksa status layanannya.`,
  }
  const problems = data?.items.filter(({ problem }) => problem) ?? []
  if (problems.length === 0) return null
  return (
    <section role="alert" className="mb-4 flex gap-3 rounded-box border border-error bg-base-100 p-4 text-error">
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div>
        <h2 className="font-bold">{t`Perlu tindakan`}</h2>
        <ul className="grid gap-0.5 text-sm">
          {problems.map((item) => (
            <li key={item.name}>
              {item.value === undefined ? t`Tidak bisa dibaca: ${item.name}` : sentences[item.name](item)}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Growth({ now, before, lessIsBetter }: { now: number; before: number; lessIsBetter: boolean }) {
  const { t } = useLingui()
  // A percentage of almost nothing is meaningless.
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

function FigureTiles({ now, before }: Pick<Dashboard, 'now' | 'before'>) {
  const { t } = useLingui()
  const failedShare = ({ generations, failed }: Figures) => (generations === 0 ? 0 : failed / generations)
  const median = ({ medianSeconds }: Figures) => medianSeconds ?? 0
  type Tile = [string, (figures: Figures) => number, (value: number) => string, lessIsBetter?: true]
  const revenue: Tile = [t`Pendapatan`, ({ revenueIdr = 0 }) => revenueIdr, formatRupiah]
  const tiles: Tile[] = [
    // Sent to staff who decide about money.
    ...(now.revenueIdr === undefined ? [] : [revenue]),
    [t`Pesanan lunas`, ({ orders }) => orders, formatNumber],
    [t`Pengguna baru`, ({ newUsers }) => newUsers, formatNumber],
    [t`Pengguna aktif`, ({ activeUsers }) => activeUsers, formatNumber],
    [t`Pembuatan`, ({ generations }) => generations, formatNumber],
    [t`Tingkat gagal`, failedShare, formatShare, true],
    [t`Median durasi`, median, (value) => formatSeconds(value === 0 ? null : value), true],
    [t`Kredit terpakai`, ({ creditsSpent }) => creditsSpent, formatNumber],
  ]
  return (
    <dl className="figure-tiles mb-3 grid gap-3">
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

const Chart = lazyComponent(() => import('./chart.tsx'), 'Chart')

/** Hides zeros and the work of other duties. */
function Waiting({ open, items }: Pick<Dashboard, 'open'> & { items: readonly OpenItem[] }) {
  const { i18n, t } = useLingui()
  const may = usePermission()
  return (
    <section aria-label={t`Menunggu sekarang`} className="mb-4 flex flex-wrap gap-2">
      {items
        .filter(({ count, needs }) => open[count] > 0 && may(needs))
        .map(({ count, path, text }) => (
          <Link
            key={count}
            to={path}
            className="btn btn-outline gap-1.5 rounded-full border-line bg-base-100 font-normal"
          >
            <strong className="tabular-nums">{formatNumber(open[count])}</strong> {i18n._(text(open))}
          </Link>
        ))}
      <span className="flex items-center px-1 text-muted text-xs">
        {t`Antrean ${formatNumber(open.queued)}, berjalan ${formatNumber(open.running)}`}
      </span>
    </section>
  )
}

function ToolBars({ tools }: Pick<Dashboard, 'tools'>) {
  const { t } = useLingui()
  const most = Math.max(1, ...tools.map(({ generations }) => generations))
  const nameOf = useToolName()
  const may = usePermission()
  if (tools.length === 0) return <EmptyMessage>{t`Belum ada pembuatan di periode ini.`}</EmptyMessage>
  return (
    <ul className="p-4 grid gap-3">
      {tools.map(({ tool, generations, failed, medianSeconds }) => (
        <li key={tool}>
          <div className="flex flex-wrap items-baseline gap-x-3">
            <span className="flex-1">
              {may('shop') ? <TextLink to={`/admin/fitur?tool=${tool}`}>{nameOf(tool)}</TextLink> : nameOf(tool)}
            </span>
            <span className="text-muted text-xs">
              {t`${formatShare(failed / generations)} gagal · ${formatSeconds(medianSeconds)}`}
            </span>
            <span className="tabular-nums ml-auto w-16 text-end font-semibold">{formatNumber(generations)}</span>
          </div>
          <progress aria-hidden className="progress progress-primary h-1.5" value={generations} max={most} />
        </li>
      ))}
    </ul>
  )
}

function Charts({ dashboard }: { dashboard: Dashboard }) {
  const { i18n, t } = useLingui()
  const { locale } = i18n
  const { series: days, period } = dashboard
  const labels = useMemo(() => {
    const shape = period === '12m' ? { month: 'short', year: '2-digit' } : { day: 'numeric', month: 'short' }
    const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : 'id-ID', {
      ...(shape as object),
      timeZone: 'UTC',
    })
    return days.map(({ day }) => format.format(new Date(day)))
  }, [days, period, locale])
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }).format
  const [money, generations, credits, people] = useMemo((): [Series[], Series[], Series[], Series[]] => {
    const of = (key: keyof (typeof days)[number]) => days.map((day) => Number(day[key] ?? 0))
    return [
      [{ name: t`Pendapatan`, values: of('revenueIdr'), color: '--color-primary', kind: 'bars' }],
      [
        { name: t`Pembuatan`, values: of('generations'), color: '--color-primary', kind: 'bars' },
        { name: t`Gagal`, values: of('failed'), color: '--color-base-content', kind: 'line' },
      ],
      [
        { name: t`Terjual`, values: of('creditsSold'), color: '--color-success', kind: 'line' },
        { name: t`Terpakai`, values: of('creditsSpent'), color: '--color-primary', kind: 'line' },
        { name: t`Kedaluwarsa`, values: of('creditsExpired'), color: '--color-muted', kind: 'line' },
      ],
      [
        { name: t`Baru`, values: of('newUsers'), color: '--color-info', kind: 'bars' },
        { name: t`Aktif`, values: of('activeUsers'), color: '--color-primary', kind: 'line', distinct: true },
      ],
    ]
  }, [days, t])
  return (
    <div className="mb-3 grid gap-3 lg:grid-cols-2">
      {days.some(({ revenueIdr }) => revenueIdr !== undefined) && (
        <Chart title={t`Uang masuk`} labels={labels} series={money} format={formatRupiah} axisFormat={short} />
      )}
      <Chart
        title={t`Pembuatan gambar`}
        labels={labels}
        series={generations}
        format={formatNumber}
        axisFormat={short}
      />
      <Chart title={t`Kredit`} labels={labels} series={credits} format={formatNumber} axisFormat={short} />
      <Chart title={t`Pengguna`} labels={labels} series={people} format={formatNumber} axisFormat={short} />
    </div>
  )
}

interface DashboardProps {
  openItems: readonly OpenItem[]
  /** Above the figures, and below them. */
  hints: ReactNode
  reports: ReactNode
}

export function DashboardScreen({ openItems, hints, reports }: DashboardProps) {
  const { t } = useLingui()
  const names: Record<Period, string> = { '7d': t`7 hari`, '30d': t`30 hari`, '90d': t`90 hari`, '12m': t`12 bulan` }
  const { params, href } = useListParams()
  const period = periods.find((candidate) => candidate === params.period) ?? '30d'
  const query = useQuery({ ...dashboardQuery(period), placeholderData: keepPreviousData })
  return (
    <AdminPage
      title={t`Dasbor`}
      actions={
        <LinkTabs
          boxed
          label={t`Periode`}
          tabs={periods.map((id) => ({ id, name: names[id], to: href({ period: id }) }))}
          current={period}
        />
      }
    >
      <OperatorProblems />
      {hints}
      <Loaded query={query} height="h-96">
        {(data) => (
          <>
            <Waiting open={data.open} items={openItems} />
            <FigureTiles now={data.now} before={data.before} />
            <Suspense fallback={<Skeleton className="mb-3 h-96" />}>
              <Charts dashboard={data} />
            </Suspense>
            <Panel title={t`Menurut alat`}>
              <ToolBars tools={data.tools} />
            </Panel>
            {reports}
            <NoticeChoice />
          </>
        )}
      </Loaded>
    </AdminPage>
  )
}

function NoticeChoice() {
  const { t } = useLingui()
  const { data } = useQuery(adminQuery<{ mode: NoticeMode }>('notices'))
  const { mutate, isPending } = useChange({ successMessage: t`Pilihan email tersimpan.` })
  if (!data) return null
  const choices: Record<NoticeMode, string> = {
    at_once: t`Langsung, setiap ada yang baru`,
    daily: t`Sekali sehari, pukul 07.00 WIB`,
    never: t`Tidak usah`,
  }
  return (
    <div className="mt-3 max-w-sm">
      <SelectField
        label={t`Email tentang yang menunggu`}
        choices={choices}
        value={data.mode}
        disabled={isPending}
        onChange={({ target: { value } }) => mutate({ path: 'notices', method: 'PUT', json: { mode: value } })}
      />
    </div>
  )
}
