import { useLingui } from '@lingui/react/macro'
import { FileCode } from 'lucide-react'
import { apiFetch } from '#client/api.ts'
import { formatNumber, formatRupiah } from '#client/format.ts'
import { saveBlob } from '#client/save-blob.ts'
import { useAction } from '#ui/actions.ts'
import { Report, TablePanel } from '#ui/admin/list.tsx'
import { Button } from '#ui/button.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Detail, Details, Panel } from '#ui/lists/panel.tsx'
import { numberColumns } from '#ui/lists/table.tsx'
import type { TaxReport } from '../../admin/report-schemas.ts'

type Row = TaxReport['refunds'] & { kind: string }
const number = numberColumns<Row>()

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
export function TaxesReport() {
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
              number(t`Banyaknya`, 'count', ({ count }) => count, formatNumber),
              number(t`Total`, 'total', ({ totalIdr }) => totalIdr, formatRupiah),
              number(t`Tanpa PPN`, 'base', ({ baseIdr }) => baseIdr, formatRupiah),
              number(t`PPN`, 'ppn', ({ ppnIdr }) => ppnIdr, formatRupiah),
            ]}
          />
        </div>
      )}
    </Report>
  )
}
