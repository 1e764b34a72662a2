import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatDollars, formatNumber, formatRupiah, parseNumber } from '#client/format.ts'
import { maxCredits, maxDays, maxUnitPrice } from '#features/credits/rules.ts'
import type { ToolPriceView } from '#features/credits/schemas.ts'
import { useToolName } from '#tools/tool-name.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { TablePanel } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { CheckboxField, TextField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { Panel } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { numberColumns, Table } from '#ui/lists/table.tsx'
import type { PriceHistory } from '../../admin/schemas.ts'
import { maxIdrPerUsd, maxPackageCents } from '../../rules.ts'

function ToolPrices() {
  const number = numberColumns<ToolPriceView>()
  const { t } = useLingui()
  const nameOf = useToolName()
  return (
    <Panel title={t`Harga alat`}>
      <Loaded query={useQuery(adminQuery<{ items: ToolPriceView[] }>('tool_prices'))} height="m-4 h-40">
        {({ items }) => (
          <Table
            label={t`Harga alat`}
            rows={items}
            rowKey="tool"
            empty={t`Tidak ada alat.`}
            columns={[
              {
                name: t`Nama alat`,
                sortBy: ['tool', ({ tool }) => nameOf(tool)],
                cell: ({ tool }) => <strong>{nameOf(tool)}</strong>,
              },
              number(t`Kredit`, 'unit', ({ unit }) => unit),
              number(t`Bawaan`, 'default', ({ defaultUnit }) => defaultUnit),
              number(
                t`Terakhir diubah`,
                'changed',
                ({ history: [last] }) => last?.at ?? null,
                (at) => (at ? formatDateTime(at) : '–'),
              ),
              {
                name: t`Tindakan`,
                as: 'actions',
                cell: (price) => <DialogButton dialog={<ToolPriceDialog price={price} />}>{t`Ubah`}</DialogButton>,
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function Packages() {
  const number = numberColumns<PriceHistory['items'][number]['versions'][number]>()
  const { t } = useLingui()
  return (
    <Loaded query={useQuery(adminQuery<PriceHistory>('packages'))} height="h-40">
      {(prices) => (
        <TablePanel
          title={t`Daftar paket`}
          actions={
            <>
              <DialogButton dialog={<RateDialog prices={prices} />}>
                {t`Kurs ${formatRupiah(prices.idrPerUsd)} per dolar`}
              </DialogButton>
              <DialogButton variant="primary" dialog={<PackageDialog pack={null} />}>{t`Paket baru`}</DialogButton>
            </>
          }
          rows={prices.items.flatMap((pack) => pack.versions.slice(0, 1).map((now) => ({ ...now, id: pack.id, pack })))}
          empty={t`Belum ada paket.`}
          columns={[
            { name: t`Paket`, sortBy: ['package', ({ name }) => name], cell: ({ name }) => <strong>{name}</strong> },
            {
              name: t`Status`,
              cell: ({ active }) => (
                <Badge tone={active ? 'good' : 'plain'}>{active ? t`Dijual` : t`Tidak dijual`}</Badge>
              ),
            },
            number(t`Harga paket`, 'price', ({ cents }) => cents / 100, formatDollars),
            number(t`Rupiah`, 'idr', ({ cents }) => Math.ceil((cents * prices.idrPerUsd) / 100), formatRupiah),
            number(
              t`Kredit`,
              'credits',
              ({ credits }) => credits ?? Number.POSITIVE_INFINITY,
              (credits) => (Number.isFinite(credits) ? formatNumber(credits) : t`Tanpa batas`),
            ),
            number(t`Hari`, 'days', ({ days }) => days),
            {
              name: t`Tindakan`,
              as: 'actions',
              cell: ({ pack }) => <DialogButton dialog={<PackageDialog pack={pack} />}>{t`Ubah`}</DialogButton>,
            },
          ]}
        />
      )}
    </Loaded>
  )
}

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

function ToolPriceDialog({ price }: { price: ToolPriceView }) {
  const { t } = useLingui()
  const name = useToolName()(price.tool)
  return (
    <FormDialog
      title={t`Harga ${name}`}
      successMessage={t`Harga sudah disimpan.`}
      values={{ unit: String(price.unit) }}
      change={({ unit }) => ({
        path: `tool_prices/${price.tool}`,
        method: 'PUT',
        json: { unit: parseNumber(unit), version: price.version },
      })}
      texts={{ unit: t`0 sampai ${formatNumber(maxUnitPrice)} kredit` }}
      past={price.history.map(({ at, unit }) => ({ at, text: t`${formatNumber(unit)} kredit` }))}
    >
      {({ field }) => (
        <TextField
          label={t`Kredit per satuan`}
          hint={t`Bawaan: ${formatNumber(price.defaultUnit)}`}
          inputMode="numeric"
          {...field('unit')}
        />
      )}
    </FormDialog>
  )
}

const idFor = (name: string): string =>
  name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, 40) ?? 'paket'

function PackageDialog({ pack }: { pack: PriceHistory['items'][number] | null }) {
  const { t } = useLingui()
  const [now, ...before] = pack?.versions ?? []
  return (
    <FormDialog
      title={now ? t`Paket ${now.name}` : t`Paket baru`}
      successMessage={t`Harga sudah disimpan.`}
      values={{
        name: now?.name ?? '',
        position: String(now?.position ?? 0),
        cents: now ? String(now.cents / 100) : '',
        credits: String(now?.credits ?? ''),
        days: String(now?.days ?? 30),
        active: now?.active ?? true,
      }}
      change={({ name, position, cents, credits, days, active }) => {
        const price = parseNumber(cents)
        return {
          path: `packages/${pack?.id ?? idFor(name)}`,
          method: 'PUT',
          json: {
            name,
            active,
            version: now?.version ?? 0,
            position: parseNumber(position),
            cents: typeof price === 'number' ? Math.round(price * 100) : price,
            credits: parseNumber(credits),
            days: parseNumber(days),
          },
        }
      }}
      texts={{
        cents: t`${formatDollars(0.01)} sampai ${formatDollars(maxPackageCents / 100)}`,
        credits: t`1 sampai ${formatNumber(maxCredits)}, atau kosong untuk tanpa batas`,
        days: t`1 sampai ${formatNumber(maxDays)} hari`,
        name: t`1 sampai 40 karakter`,
        position: t`0 sampai ${formatNumber(1000)}`,
      }}
      past={before.map(({ at, cents, credits, days }) => ({
        at,
        text: [
          formatDollars(cents / 100),
          credits === null ? t`tanpa batas` : t`${formatNumber(credits)} kredit`,
          t`${formatNumber(days)} hari`,
        ].join(' · '),
      }))}
    >
      {({ field }) => (
        <>
          <div className="grid grid-cols-3 items-start gap-3">
            <div className="col-span-2">
              <TextField label={t`Nama`} maxLength={40} {...field('name')} />
            </div>
            <TextField label={t`Urutan`} inputMode="numeric" {...field('position')} />
            <TextField label={t`Dolar`} inputMode="decimal" {...field('cents')} />
            <TextField label={t`Kredit`} placeholder="∞" inputMode="numeric" {...field('credits')} />
            <TextField label={t`Hari`} inputMode="numeric" {...field('days')} />
          </div>
          <CheckboxField label={t`Dijual`} {...field('active')} />
        </>
      )}
    </FormDialog>
  )
}

function RateDialog({ prices }: { prices: PriceHistory }) {
  const { t } = useLingui()
  return (
    <FormDialog
      title={t`Kurs rupiah`}
      successMessage={t`Harga sudah disimpan.`}
      values={{ idrPerUsd: String(prices.idrPerUsd) }}
      change={({ idrPerUsd }) => ({
        path: 'idr_rate',
        method: 'PUT',
        json: { idrPerUsd: parseNumber(idrPerUsd), version: prices.rateVersion },
      })}
      texts={{ idrPerUsd: t`1 sampai ${formatNumber(maxIdrPerUsd)} rupiah` }}
      past={prices.rates.map(({ at, idrPerUsd }) => ({ at, text: formatRupiah(idrPerUsd) }))}
    >
      {({ field }) => <TextField label={t`Rupiah untuk satu dolar`} inputMode="numeric" {...field('idrPerUsd')} />}
    </FormDialog>
  )
}
