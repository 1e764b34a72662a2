import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { formatDate, formatNumber } from '#client/format.ts'
import type { VoucherView } from '#features/billing/admin/types.ts'
import { type Column, DataTable } from '#ui/admin/data-table.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Switch } from '#ui/admin/switch.tsx'
import { CsvButton, Filter, SearchField, Toolbar } from '#ui/admin/toolbar.tsx'
import { Button } from '#ui/button.tsx'
import { paths, vouchersQuery } from '../calls.ts'
import { voucherWords } from '../words.ts'
import { VoucherValue } from './voucher-value.tsx'

/** It brings the library for forms. */
const VoucherDialog = lazy(async () => ({ default: (await import('./voucher-dialog.tsx')).VoucherDialog }))

/** When a voucher can be used. */
function Validity({ voucher: { validFrom, validUntil } }: { voucher: VoucherView }) {
  const { t } = useLingui()
  if (validFrom && validUntil) return `${formatDate(validFrom)} – ${formatDate(validUntil)}`
  if (validUntil) return t`sampai ${formatDate(validUntil)}`
  return validFrom ? t`mulai ${formatDate(validFrom)}` : t`Selalu`
}

/** On or off at once; taken back when the server refuses. */
function ActiveSwitch({ voucher, params }: { voucher: VoucherView; params: Record<string, string> }) {
  const { t } = useLingui()
  const change = useChange()
  const { id, code, active, version } = voucher
  return (
    <Switch
      label={t`${code} aktif`}
      checked={active}
      onChange={() =>
        change.mutate({
          path: `${paths.vouchers}/${id}`,
          method: 'PATCH',
          json: { active: !active, version },
          optimistic: {
            key: vouchersQuery(params).queryKey,
            apply: (page: { items: VoucherView[] }) => ({
              ...page,
              items: page.items.map((item) => (item.id === id ? { ...item, active: !active } : item)),
            }),
          },
        })
      }
    />
  )
}

/** /admin/voucher: vouchers with their uses. */
export function VouchersScreen() {
  const { i18n, t } = useLingui()
  const address = useListAddress()
  const params = { limit: '25', ...address.params }
  const query = useQuery(vouchersQuery(params))
  const [edited, setEdited] = useState<VoucherView | 'new' | null>(null)
  const columns: Column<VoucherView>[] = [
    {
      id: 'code',
      name: t`Kode`,
      cell: (voucher) => (
        <button
          type="button"
          className="link link-hover font-semibold font-mono text-[0.8125rem] cursor-pointer"
          onClick={() => setEdited(voucher)}
        >
          {voucher.code}
        </button>
      ),
    },
    { id: 'active', name: t`Aktif`, cell: (voucher) => <ActiveSwitch voucher={voucher} params={params} /> },
    { id: 'kind', name: t`Jenis`, cell: ({ kind }) => i18n._(voucherWords[kind]) },
    { id: 'value', name: t`Nilai`, end: true, cell: (voucher) => <VoucherValue voucher={voucher} /> },
    { id: 'valid', name: t`Berlaku`, cell: (voucher) => <Validity voucher={voucher} /> },
    {
      id: 'uses',
      name: t`Dipakai`,
      end: true,
      cell: ({ id, uses, limitTotal }) => (
        <Link to={`/admin/billing?voucher=${id}`} className="link link-hover font-semibold">
          {formatNumber(uses)}
          {limitTotal !== null && ` / ${formatNumber(limitTotal)}`}
        </Link>
      ),
    },
  ]
  return (
    <AdminPage
      title={t`Voucher`}
      actions={
        <Button
          variant="primary"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setEdited('new')}
        >{t`Voucher baru`}</Button>
      }
    >
      <Toolbar>
        <SearchField address={address} name="code" label={t`Awal kode`} />
        <Filter
          address={address}
          name="active"
          label={t`Status`}
          all={t`Semua status`}
          choices={[
            ['true', t`Aktif`],
            ['false', t`Nonaktif`],
          ]}
        />
        <CsvButton path={paths.vouchers} params={address.params} name="rupa-vouchers" />
      </Toolbar>
      <DataTable
        label={t`Voucher`}
        query={query}
        address={address}
        columns={columns}
        keyOf={({ id }) => id}
        empty={t`Belum ada voucher. Buat satu untuk membagikan kredit atau potongan.`}
      />
      {edited && (
        <Suspense fallback={null}>
          <VoucherDialog voucher={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </AdminPage>
  )
}
