import { useLingui } from '@lingui/react/macro'
import { formatDollars, formatNumber, formatRupiah, formatShare } from '#client/format.ts'
import { Report, ShortList } from '#ui/admin/list.tsx'
import { Code, Detail, Details, Panel } from '#ui/lists/panel.tsx'
import { numberColumns } from '#ui/lists/table.tsx'
import type { RunCosts, RunCostsRow } from '../../schemas.ts'
import { useEngineName, useToolName } from '../tool-name.ts'

const number = numberColumns<RunCostsRow>()

export function RunCostsReport() {
  const { t } = useLingui()
  const toolName = useToolName()
  const engineName = useEngineName()
  return (
    <Report<RunCosts> path="run_costs" file="rupa-costs">
      {({ items, idrPerUsd }) => {
        const sum = (of: (row: RunCostsRow) => number) => items.reduce((running, row) => running + of(row), 0)
        const [runs, untold, usd] = [sum((row) => row.runs), sum((row) => row.untold), sum((row) => row.usd)]
        const [costIdr, earnedIdr] = [sum((row) => row.costIdr), sum((row) => row.earnedIdr)]
        return (
          <div className="grid gap-4">
            <Panel title={t`Rentang ini`}>
              <Details>
                <Detail name={t`Pembuatan`}>{formatNumber(runs)}</Detail>
                <Detail name={t`Biaya`}>{`${formatDollars(usd)} · ${formatRupiah(costIdr)}`}</Detail>
                <Detail name={t`Biaya per pembuatan`}>
                  {runs > untold && formatRupiah(costIdr / (runs - untold))}
                </Detail>
                <Detail name={t`Dari kredit`}>{formatRupiah(earnedIdr)}</Detail>
                <Detail name={t`Margin`}>
                  <strong>{formatRupiah(earnedIdr - costIdr)}</strong>
                </Detail>
                <Detail name={t`Tanpa harga`}>
                  {untold > 0 && t`${formatNumber(untold)} pembuatan, layanannya tidak menyebut biaya`}
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
                number(t`Pembuatan`, 'runs', ({ runs: count }) => count),
                number(t`Biaya (US$)`, 'usd', ({ usd: cost }) => cost, formatDollars),
                number(t`Biaya`, 'cost', ({ costIdr: cost }) => cost, formatRupiah),
                number(t`Kredit`, 'credits', ({ credits }) => credits),
                number(t`Dari kredit`, 'earned', ({ earnedIdr: earned }) => earned, formatRupiah),
                number(t`Margin`, 'margin', ({ marginIdr }) => marginIdr, formatRupiah),
                number(
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
