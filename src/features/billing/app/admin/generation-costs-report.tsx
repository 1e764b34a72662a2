import { useLingui } from '@lingui/react/macro'
import { formatDollars, formatNumber, formatRupiah, formatShare } from '#client/format.ts'
import { useEngineName, useToolName } from '#tools/tool-name.ts'
import { Report, ShortList } from '#ui/admin/list.tsx'
import { Code, Detail, Details, Panel } from '#ui/lists/panel.tsx'
import { numberColumns } from '#ui/lists/table.tsx'
import type { GenerationCosts, GenerationCostsRow } from '../../admin/cost-schemas.ts'

const number = numberColumns<GenerationCostsRow>()

export function GenerationCostsReport() {
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
                number(t`Pembuatan`, 'runs', ({ generations: count }) => count),
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
