import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime, formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import type { PriceHistory } from '#features/billing/admin/types.ts'
import type { ToolPriceView } from '#features/credits/types.ts'
import { Badge } from '#ui/admin/badge.tsx'
import { type Column, ShortTable } from '#ui/admin/data-table.tsx'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Panel } from '#ui/admin/page.tsx'
import { readQuery } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { useToolName } from '../tool-name.ts'
import { PackageDialog, RateDialog, ToolPriceDialog } from './price-dialogs.tsx'

const toolPricesQuery = readQuery<{ items: ToolPriceView[] }>(['tool-prices'], '/api/admin/tool_prices')
const packagesQuery = readQuery<PriceHistory>(['packages'], '/api/admin/packages')

type Package = PriceHistory['items'][number]
type Task = { tool: ToolPriceView } | { pack: Package } | 'rate'

function ToolPrices({ onEdit }: { onEdit: (tool: ToolPriceView) => void }) {
  const { t } = useLingui()
  const nameOf = useToolName()
  const query = useQuery(toolPricesQuery)
  const columns: Column<ToolPriceView>[] = [
    { id: 'tool', name: t`Nama alat`, cell: ({ tool }) => <strong>{nameOf(tool)}</strong> },
    { id: 'unit', name: t`Kredit`, end: true, cell: ({ unit }) => formatNumber(unit) },
    { id: 'default', name: t`Bawaan`, end: true, cell: ({ defaultUnit }) => formatNumber(defaultUnit) },
    {
      id: 'changed',
      name: t`Terakhir diubah`,
      end: true,
      cell: ({ history }) => (history[0] ? formatDateTime(history[0].at) : '–'),
    },
    {
      id: 'edit',
      actions: true,
      name: t`Tindakan`,
      cell: (tool) => <Button variant="outline" onClick={() => onEdit(tool)}>{t`Ubah`}</Button>,
    },
  ]
  return (
    <Panel title={t`Harga alat`}>
      <Loaded query={query} height="h-40" bare>
        {({ items }) => (
          <ShortTable
            label={t`Harga alat`}
            columns={columns}
            rows={items}
            keyOf={({ tool }) => tool}
            empty={t`Tidak ada alat.`}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function Packages({ prices, onEdit }: { prices: PriceHistory; onEdit: (task: Task) => void }) {
  const { t } = useLingui()
  const columns: Column<Package>[] = [
    { id: 'name', name: t`Paket`, cell: ({ versions: [now] }) => <strong>{now?.name}</strong> },
    {
      id: 'active',
      name: t`Status`,
      cell: ({ versions: [now] }) => (
        <Badge tone={now?.active ? 'good' : 'plain'}>{now?.active ? t`Dijual` : t`Tidak dijual`}</Badge>
      ),
    },
    {
      id: 'price',
      name: t`Harga paket`,
      end: true,
      cell: ({ versions: [now] }) => formatDollars((now?.cents ?? 0) / 100),
    },
    {
      id: 'idr',
      name: t`Rupiah`,
      end: true,
      cell: ({ versions: [now] }) => formatRupiah(Math.ceil(((now?.cents ?? 0) * prices.idrPerUsd) / 100)),
    },
    {
      id: 'credits',
      name: t`Kredit`,
      end: true,
      cell: ({ versions: [now] }) => (now?.credits == null ? t`Tanpa batas` : formatNumber(now.credits)),
    },
    { id: 'days', name: t`Hari`, end: true, cell: ({ versions: [now] }) => formatNumber(now?.days ?? 0) },
    {
      id: 'edit',
      actions: true,
      name: t`Tindakan`,
      cell: (pack) => <Button variant="outline" onClick={() => onEdit({ pack })}>{t`Ubah`}</Button>,
    },
  ]
  return (
    <Panel
      title={t`Daftar paket`}
      actions={
        <Button variant="outline" onClick={() => onEdit('rate')}>
          {t`Kurs ${formatRupiah(prices.idrPerUsd)} per dolar`}
        </Button>
      }
    >
      <ShortTable
        label={t`Paket`}
        columns={columns}
        rows={prices.items}
        keyOf={({ id }) => id}
        empty={t`Belum ada paket.`}
      />
    </Panel>
  )
}

/** /admin/kredit/harga: what tools and packages cost, and cost before. */
export function PricesScreen() {
  const { t } = useLingui()
  const query = useQuery(packagesQuery)
  const { data } = query
  const [task, setTask] = useState<Task | null>(null)
  const close = () => setTask(null)
  return (
    <AdminPage title={t`Harga kredit`}>
      <p className="mb-4 max-w-3xl text-muted">
        {t`Harga baru berlaku mulai pembuatan atau pesanan berikutnya. Yang sudah dibayar tidak berubah.`}
      </p>
      <div className="grid gap-4">
        <Loaded query={query} height="h-40">
          {(prices) => <Packages prices={prices} onEdit={setTask} />}
        </Loaded>
        <ToolPrices onEdit={(tool) => setTask({ tool })} />
      </div>
      {task === 'rate' && data && <RateDialog prices={data} onClose={close} />}
      {task && task !== 'rate' && 'tool' in task && <ToolPriceDialog price={task.tool} onClose={close} />}
      {task && task !== 'rate' && 'pack' in task && <PackageDialog pack={task.pack} onClose={close} />}
    </AdminPage>
  )
}
