import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { FileCode } from 'lucide-react'
import { apiFetch } from '#client/api.ts'
import { formatDollars, formatNumber, formatRupiah, formatShare } from '#client/format.ts'
import { saveBlob } from '#client/save-blob.ts'
import { useEngineName, useToolName } from '#tools/tool-name.ts'
import { Report, ShortList, TablePanel } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { Button } from '#ui/button.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Code, Detail, Details, Panel } from '#ui/lists/panel.tsx'
import { numberColumns } from '#ui/lists/table.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { useAction } from '#ui/use-action.ts'
import type { GenerationCosts, GenerationCostsRow, Revenue, RevenueRow, TaxReport } from '../../admin/report-schemas.ts'
import { methodName } from '../../labels.ts'
import type { MethodId } from '../../payment-methods.ts'

type Row = TaxReport['refunds'] & { kind: string }
const taxNumber = numberColumns<Row>()

function EfakturButton({ part, parts }: { part: number; parts: number }) {
  const { t } = useLingui()
  const { from, to } = useListParams().params
  const save = useAction(async () => {
    const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }), part: String(part) })
    const response = await apiFetch(`/api/admin/efaktur?${query}`, { headers: { accept: 'application/xml' } })
    saveBlob(await response.blob(), ['efaktur', from, to, parts > 1 && part].filter(Boolean).join('-').concat('.xml'))
  })
  return (
    <Button variant="outline" icon={FileCode} busy={save.isPending} onClick={() => save.mutate()}>
      {parts > 1 ? t`e-Faktur XML, bagian ${part}` : t`e-Faktur XML`}
    </Button>
  )
}

/** Invoices, refunds and PPN of a period, and the files for the tax office. */
function TaxesReport() {
  const { t } = useLingui()
  return (
    <Report<TaxReport> path="taxes" file="rupa-taxes">
      {({ business, retail, untaxed, refunds, payableIdr, files }) => (
        <div className="grid gap-4">
          <Panel title={t`PPN rentang ini`}>
            <Details>
              <Detail name={t`Dari invoice`}>{formatRupiah(business.ppnIdr + retail.ppnIdr)}</Detail>
              <Detail name={t`Dari pengembalian`}>{formatRupiah(-refunds.ppnIdr)}</Detail>
              <Detail name={t`PPN keluaran`}>
                <strong>{formatRupiah(payableIdr)}</strong>
              </Detail>
            </Details>
            <div className="flex flex-wrap gap-2 px-4 pb-4 empty:hidden">
              {Array.from({ length: files }, (_, index) => (
                <EfakturButton key={String(index)} part={index + 1} parts={files} />
              ))}
            </div>
          </Panel>
          <TablePanel
            title={t`Invoice dan pengembalian`}
            rowKey="kind"
            rows={[
              { kind: t`Invoice dengan NPWP`, ...business },
              { kind: t`Invoice eceran`, ...retail },
              { kind: t`Invoice tanpa PPN`, ...untaxed },
              { kind: t`Pengembalian`, ...refunds },
            ]}
            empty={null}
            columns={[
              { name: t`Jenis`, cell: ({ kind }) => <strong className="font-semibold">{kind}</strong> },
              taxNumber(t`Banyaknya`, 'count', ({ count }) => count, formatNumber),
              taxNumber(t`Total`, 'total', ({ totalIdr }) => totalIdr, formatRupiah),
              taxNumber(t`Tanpa PPN`, 'base', ({ baseIdr }) => baseIdr, formatRupiah),
              taxNumber(t`PPN`, 'ppn', ({ ppnIdr }) => ppnIdr, formatRupiah),
            ]}
          />
        </div>
      )}
    </Report>
  )
}

const number = numberColumns<RevenueRow>()
const costNumber = numberColumns<GenerationCostsRow>()

function RevenueTable({
  title,
  rows,
  nameOf,
}: {
  title: string
  rows: RevenueRow[]
  nameOf: (name: string) => string
}) {
  const { t } = useLingui()
  const nameIn = ({ name }: RevenueRow) => (name === null ? t`Tanpa` : nameOf(name))
  return (
    <TablePanel
      title={title}
      rowKey="name"
      rows={rows}
      empty={t`Tidak ada uang di rentang ini.`}
      columns={[
        { name: t`Nama`, sortBy: ['name', nameIn], cell: nameIn },
        number(t`Pesanan`, 'orders', ({ orders }) => orders),
        number(t({ message: 'Masuk', context: 'money' }), 'received', ({ receivedIdr }) => receivedIdr, formatRupiah),
        number(t`Dikembalikan`, 'refunded', ({ refundedIdr }) => refundedIdr, formatRupiah),
        number(t`Bersih`, 'net', ({ netIdr }) => netIdr, formatRupiah),
      ]}
    />
  )
}

function Sums({ total, outsideIdr }: Revenue) {
  const { t } = useLingui()
  return (
    <Panel title={t`Rentang ini`}>
      <Details>
        <Detail name={t`Pesanan lunas`}>{formatNumber(total.orders)}</Detail>
        <Detail name={t`Ditagih`}>{formatRupiah(total.chargedIdr)}</Detail>
        <Detail name={t({ message: 'Masuk', context: 'money' })}>{formatRupiah(total.receivedIdr)}</Detail>
        <Detail name={t`Dikembalikan`}>
          {`${formatRupiah(total.refundedIdr)} · ${t`${plural(total.refunds, { other: '# kali' })}`}`}
        </Detail>
        <Detail name={t`Bersih`}>
          <strong>{formatRupiah(total.netIdr)}</strong>
        </Detail>
        <Detail name={t`Di luar pesanan`}>{outsideIdr > 0 && formatRupiah(outsideIdr)}</Detail>
      </Details>
    </Panel>
  )
}

function Liability({ liability }: Pick<Revenue, 'liability'>) {
  const { t } = useLingui()
  const { paidCredits, freeCredits, creditsIdr, unlimitedPeople, unlimitedIdr } = liability
  return (
    <Panel title={t`Belum terpakai, sekarang`}>
      <Details>
        <Detail name={t`Kredit yang dibeli`}>{formatNumber(paidCredits)}</Detail>
        <Detail name={t`Nilainya`}>{formatRupiah(creditsIdr)}</Detail>
        <Detail name={t`Kredit yang diberi`}>{formatNumber(freeCredits)}</Detail>
        <Detail name={t`Paket tanpa batas`}>
          {unlimitedPeople > 0 && t`${formatNumber(unlimitedPeople)} orang · ${formatRupiah(unlimitedIdr)}`}
        </Detail>
        <Detail name={t`Kewajiban`}>
          <strong>{formatRupiah(creditsIdr + unlimitedIdr)}</strong>
        </Detail>
      </Details>
    </Panel>
  )
}

function GenerationCostsReport() {
  const { t } = useLingui()
  const toolName = useToolName()
  const engineName = useEngineName()
  return (
    <Report<GenerationCosts> path="run_costs" file="rupa-costs">
      {({ items, idrPerUsd }) => {
        const sum = (of: (row: GenerationCostsRow) => number) => items.reduce((running, row) => running + of(row), 0)
        const generations = sum((row) => row.generations)
        const costUnknown = sum((row) => row.costUnknown)
        const usd = sum((row) => row.usd)
        const [costIdr, earnedIdr] = [sum((row) => row.costIdr), sum((row) => row.earnedIdr)]
        return (
          <div className="grid gap-4">
            <Panel title={t`Rentang ini`}>
              <Details>
                <Detail name={t`Pembuatan`}>{formatNumber(generations)}</Detail>
                <Detail name={t`Biaya`}>{`${formatDollars(usd)} · ${formatRupiah(costIdr)}`}</Detail>
                <Detail name={t`Biaya per pembuatan`}>
                  {generations > costUnknown && formatRupiah(costIdr / (generations - costUnknown))}
                </Detail>
                <Detail name={t`Dari kredit`}>{formatRupiah(earnedIdr)}</Detail>
                <Detail name={t`Margin`}>
                  <strong>{formatRupiah(earnedIdr - costIdr)}</strong>
                </Detail>
                <Detail name={t`Tanpa harga`}>
                  {costUnknown > 0 && t`${formatNumber(costUnknown)} pembuatan, layanannya tidak menyebut biaya`}
                </Detail>
              </Details>
              <p className="px-4 pb-4 text-muted text-xs">
                {t`Dolar dihitung dengan kurs sekarang, ${formatRupiah(idrPerUsd)}. Kredit hadiah dan paket tanpa batas tidak membawa uang di sini.`}
              </p>
            </Panel>
            <ShortList
              label={t`Biaya layanan`}
              rows={items.map((row) => ({ ...row, key: `${row.tool} ${row.provider}` }))}
              rowKey="key"
              defaultSort="cost_down"
              empty={t`Tidak ada pembuatan yang dikerjakan layanan lain di rentang ini.`}
              columns={[
                {
                  name: t`Nama alat`,
                  sortBy: ['tool', ({ tool }) => toolName(tool)],
                  cell: ({ tool }) => <strong className="font-semibold">{toolName(tool)}</strong>,
                },
                {
                  name: t`Layanan`,
                  sortBy: ['provider', ({ provider }) => provider],
                  cell: ({ provider }) => <Code>{engineName(provider)}</Code>,
                },
                costNumber(t`Pembuatan`, 'runs', ({ generations: count }) => count),
                costNumber(t`Biaya (US$)`, 'usd', ({ usd: cost }) => cost, formatDollars),
                costNumber(t`Biaya`, 'cost', ({ costIdr: cost }) => cost, formatRupiah),
                costNumber(t`Kredit`, 'credits', ({ credits }) => credits),
                costNumber(t`Dari kredit`, 'earned', ({ earnedIdr: earned }) => earned, formatRupiah),
                costNumber(t`Margin`, 'margin', ({ marginIdr }) => marginIdr, formatRupiah),
                costNumber(
                  t`Margin (%)`,
                  'share',
                  ({ earnedIdr: earned, marginIdr }) => (earned > 0 ? marginIdr / earned : Number.NEGATIVE_INFINITY),
                  (share) => formatShare(Number.isFinite(share) ? share : null),
                ),
              ]}
            />
          </div>
        )
      }}
    </Report>
  )
}

export function RevenueScreen() {
  const { t } = useLingui()
  const { params, href } = useListParams()
  const costs = params.tab === 'costs'
  const taxes = params.tab === 'taxes'
  return (
    <AdminPage
      title={t`Pendapatan`}
      text={
        costs
          ? t`Pembuatan yang dikerjakan layanan lain: biayanya di sana dan uang yang dulu dibayar untuk kreditnya. Tanpa tanggal: 30 hari terakhir.`
          : t`Hari dihitung menurut WIB. Pengembalian uang dihitung pada hari uangnya dikirim.`
      }
    >
      <LinkTabs
        label={t`Pendapatan`}
        current={costs ? 'costs' : taxes ? 'taxes' : 'revenue'}
        tabs={[
          { id: 'revenue', name: t`Uang masuk`, to: href({ tab: undefined, sort: undefined }) },
          { id: 'taxes', name: t`Pajak`, to: href({ tab: 'taxes', sort: undefined }) },
          { id: 'costs', name: t`Biaya layanan`, to: href({ tab: 'costs', sort: undefined }) },
        ]}
      />
      {costs ? <GenerationCostsReport /> : taxes ? <TaxesReport /> : <RevenueReport />}
    </AdminPage>
  )
}

function RevenueReport() {
  const { t } = useLingui()
  const same = (name: string) => name
  return (
    <Report<Revenue> path="revenue" file="rupa-revenue">
      {(revenue) => {
        const by = (which: RevenueRow['by']) => revenue.rows.filter((row) => row.by === which)
        return (
          <div className="grid gap-4">
            <div className="grid items-start gap-4 lg:grid-cols-2">
              <Sums {...revenue} />
              <Liability liability={revenue.liability} />
            </div>
            <RevenueTable
              title={t`Menurut metode`}
              rows={by('method')}
              nameOf={(name) => methodName(name as MethodId)}
            />
            <RevenueTable title={t`Menurut paket`} rows={by('package')} nameOf={same} />
            <RevenueTable title={t`Menurut voucher`} rows={by('voucher')} nameOf={same} />
          </div>
        )
      }}
    </Report>
  )
}
