import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime, formatDollars, formatNumber, formatRupiah } from '#client/format.ts'
import type { PriceHistory } from '#features/billing/admin/types.ts'
import type { ToolPriceView } from '#features/credits/types.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Loaded } from '#ui/loaded.tsx'
import { Panel } from '#ui/panel.tsx'
import { Table } from '#ui/table.tsx'
import { packagesQuery, toolPricesQuery } from '../api.ts'
import { useToolName } from '../tool-name.ts'
import { PackageDialog, RateDialog, ToolPriceDialog } from './price-dialogs.tsx'

function ToolPrices() {
  const { t } = useLingui()
  const [edited, setEdited] = useState<ToolPriceView | null>(null)
  const nameOf = useToolName()
  return (
    <Panel title={t`Harga alat`}>
      <Loaded query={useQuery(toolPricesQuery)} height="m-4 h-40">
        {({ items }) => (
          <Table
            label={t`Harga alat`}
            rows={items}
            rowKey="tool"
            empty={t`Tidak ada alat.`}
            columns={[
              { name: t`Nama alat`, cell: ({ tool }) => <strong>{nameOf(tool)}</strong> },
              { name: t`Kredit`, as: 'number', cell: ({ unit }) => formatNumber(unit) },
              { name: t`Bawaan`, as: 'number', cell: ({ defaultUnit }) => formatNumber(defaultUnit) },
              {
                name: t`Terakhir diubah`,
                as: 'number',
                cell: ({ history: [last] }) => (last ? formatDateTime(last.at) : '–'),
              },
              {
                name: t`Tindakan`,
                as: 'actions',
                cell: (price) => <Button variant="outline" onClick={() => setEdited(price)}>{t`Ubah`}</Button>,
              },
            ]}
          />
        )}
      </Loaded>
      {edited && <ToolPriceDialog price={edited} onClose={() => setEdited(null)} />}
    </Panel>
  )
}

function Packages() {
  const { t } = useLingui()
  const [edited, setEdited] = useState<PriceHistory['items'][number] | 'rate' | null>(null)
  const close = () => setEdited(null)
  return (
    <Loaded query={useQuery(packagesQuery)} height="h-40">
      {(prices) => (
        <Panel
          title={t`Daftar paket`}
          actions={
            <Button variant="outline" onClick={() => setEdited('rate')}>
              {t`Kurs ${formatRupiah(prices.idrPerUsd)} per dolar`}
            </Button>
          }
        >
          <Table
            label={t`Paket`}
            rows={prices.items.flatMap((pack) =>
              pack.versions.slice(0, 1).map((now) => ({ ...now, id: pack.id, pack })),
            )}
            empty={t`Belum ada paket.`}
            columns={[
              { name: t`Paket`, cell: ({ name }) => <strong>{name}</strong> },
              {
                name: t`Status`,
                cell: ({ active }) => (
                  <Badge tone={active ? 'good' : 'plain'}>{active ? t`Dijual` : t`Tidak dijual`}</Badge>
                ),
              },
              { name: t`Harga paket`, as: 'number', cell: ({ cents }) => formatDollars(cents / 100) },
              {
                name: t`Rupiah`,
                as: 'number',
                cell: ({ cents }) => formatRupiah(Math.ceil((cents * prices.idrPerUsd) / 100)),
              },
              {
                name: t`Kredit`,
                as: 'number',
                cell: ({ credits }) => (credits === null ? t`Tanpa batas` : formatNumber(credits)),
              },
              { name: t`Hari`, as: 'number', cell: ({ days }) => formatNumber(days) },
              {
                name: t`Tindakan`,
                as: 'actions',
                cell: ({ pack }) => <Button variant="outline" onClick={() => setEdited(pack)}>{t`Ubah`}</Button>,
              },
            ]}
          />
          {edited === 'rate' && <RateDialog prices={prices} onClose={close} />}
          {edited && edited !== 'rate' && <PackageDialog pack={edited} onClose={close} />}
        </Panel>
      )}
    </Loaded>
  )
}

/** /admin/kredit/harga: what tools and packages cost, and cost before. */
export function PricesScreen() {
  const { t } = useLingui()
  return (
    <AdminPage
      title={t`Harga kredit`}
      text={t`Harga baru berlaku mulai pembuatan atau pesanan berikutnya. Yang sudah dibayar tidak berubah.`}
    >
      <div className="grid gap-4">
        <Packages />
        <ToolPrices />
      </div>
    </AdminPage>
  )
}
