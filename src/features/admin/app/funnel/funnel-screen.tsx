import '#ui/late-components.css'
import { useLingui } from '@lingui/react/macro'
import { dates, formatNumber, formatShare } from '#client/format.ts'
import { Report, ShortList } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { Panel } from '#ui/lists/panel.tsx'
import { numberColumns } from '#ui/lists/table.tsx'
import type { Funnel } from '../../schemas.ts'

const number = numberColumns<Funnel['items'][number]>()

const formats = {
  day: dates({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  month: dates({ month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

type Step = Exclude<keyof Funnel['total'], 'visits'>

/** Null where impossible, as for days before visitors were counted. */
const rate = (part: number, whole: number) => (whole === 0 || part > whole ? null : part / whole)

function Steps({ total }: Pick<Funnel, 'total'>) {
  const { t } = useLingui()
  const steps: [Step, string, string][] = [
    ['visitors', t`Pengunjung baru`, t`perangkat yang baru pertama kali berkunjung`],
    ['registered', t`Mendaftar`, t`orang yang membuat akun`],
    ['started', t`Membuat pertama kali`, t`di antaranya sudah membuat sesuatu`],
    ['paid', t`Membayar`, t`di antaranya sudah membayar`],
  ]
  const most = Math.max(1, ...steps.map(([step]) => total[step]))
  return (
    <Panel title={t`Rentang ini`}>
      <ol className="grid gap-4 p-4">
        {steps.map(([step, name, about], index) => {
          const before = steps[index - 1]
          return (
            <li key={step}>
              <p className="flex items-baseline gap-3 font-semibold">
                <span className="flex-1">{name}</span>
                <span className="tabular-nums">{formatNumber(total[step])}</span>
              </p>
              <p className="flex items-baseline gap-3 text-muted text-xs">
                <span className="flex-1">{about}</span>
                {before && t`${formatShare(rate(total[step], total[before[0]]))} dari langkah sebelumnya`}
              </p>
              <progress aria-hidden className="progress progress-primary h-1.5" value={total[step]} max={most} />
            </li>
          )
        })}
      </ol>
      <p className="px-4 pb-4 text-muted text-xs">
        {t`${formatNumber(total.visits)} kunjungan: tiap perangkat dihitung sekali sehari, tanpa menyimpan siapa.`}
      </p>
    </Panel>
  )
}

export function FunnelScreen() {
  const { t } = useLingui()
  return (
    <AdminPage
      title={t`Konversi`}
      text={t`Dari kunjungan sampai pembayaran. Langkah ketiga dan keempat menghitung orang yang mendaftar di rentang ini, kapan pun mereka melakukannya. Tanpa tanggal: 30 hari terakhir.`}
    >
      <Report<Funnel> path="funnel" file="rupa-conversion">
        {({ total, items, unit }) => (
          <div className="grid gap-4">
            <Steps total={total} />
            <ShortList
              label={t`Menurut hari`}
              rows={items}
              rowKey="day"
              defaultSort="day_down"
              empty={t`Belum ada kunjungan di rentang ini.`}
              columns={[
                {
                  name: unit === 'day' ? t`Tanggal` : t`Bulan`,
                  sortBy: ['day', ({ day }) => day],
                  cell: ({ day }) => <strong className="font-semibold">{formats[unit]().format(new Date(day))}</strong>,
                },
                number(t`Kunjungan`, 'visits', (row) => row.visits),
                number(t`Pengunjung baru`, 'visitors', (row) => row.visitors),
                number(t`Mendaftar`, 'registered', (row) => row.registered),
                number(t`Membuat`, 'started', (row) => row.started),
                number(t`Membayar`, 'paid', (row) => row.paid),
                number(t`Sampai membayar`, 'rate', (row) => rate(row.paid, row.registered), formatShare),
              ]}
            />
          </div>
        )}
      </Report>
    </AdminPage>
  )
}
