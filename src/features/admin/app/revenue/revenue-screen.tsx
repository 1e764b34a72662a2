import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatNumber, formatRupiah } from '#client/format.ts'
import type { Revenue, RevenueRow } from '#features/billing/admin/types.ts'
import { methodName } from '#features/billing/labels.ts'
import type { MethodId } from '#features/billing/methods.ts'
import { CsvButton, DaysFilter } from '#ui/admin/filters.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Loaded } from '#ui/lists/loaded.tsx'
import { Detail, Details, Panel } from '#ui/lists/panel.tsx'
import { Table } from '#ui/lists/table.tsx'
import { revenueQuery } from '../api.ts'

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
  return (
    <Panel title={title}>
      <Table
        label={title}
        rowKey="name"
        rows={rows}
        empty={t`Tidak ada uang di rentang ini.`}
        columns={[
          { name: t`Nama`, cell: ({ name }) => (name === null ? t`Tanpa` : nameOf(name)) },
          { name: t`Pesanan`, as: 'number', cell: ({ orders }) => formatNumber(orders) },
          { name: t`Masuk`, as: 'number', cell: ({ receivedIdr }) => formatRupiah(receivedIdr) },
          { name: t`Dikembalikan`, as: 'number', cell: ({ refundedIdr }) => formatRupiah(refundedIdr) },
          { name: t`Bersih`, as: 'number', cell: ({ netIdr }) => <strong>{formatRupiah(netIdr)}</strong> },
        ]}
      />
    </Panel>
  )
}

function Sums({ total, outsideIdr }: Revenue) {
  const { t } = useLingui()
  return (
    <Panel title={t`Rentang ini`}>
      <Details>
        <Detail name={t`Pesanan lunas`}>{formatNumber(total.orders)}</Detail>
        <Detail name={t`Ditagih`}>{formatRupiah(total.chargedIdr)}</Detail>
        <Detail name={t`Masuk`}>{formatRupiah(total.receivedIdr)}</Detail>
        <Detail name={t`Dikembalikan`}>
          {`${formatRupiah(total.refundedIdr)} · ${t`${formatNumber(total.refunds)} kali`}`}
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

/** /admin/pendapatan: what came in and went back, and what is owed for it. */
export function RevenueScreen() {
  const { t } = useLingui()
  const { params } = useListParams()
  const { from = '', to = '' } = params
  const span = { ...(from && { from }), ...(to && { to }) }
  const query = useQuery({ ...revenueQuery(span), placeholderData: keepPreviousData })
  const same = (name: string) => name
  return (
    <AdminPage
      title={t`Pendapatan`}
      text={t`Hari dihitung menurut WIB. Yang dikembalikan masuk ke hari uangnya dikirim kembali.`}
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <DaysFilter />
        <CsvButton path="revenue" params={span} name="rupa-revenue" />
      </div>
      <Loaded query={query} height="h-96">
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
      </Loaded>
    </AdminPage>
  )
}
