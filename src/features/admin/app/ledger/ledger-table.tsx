import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber } from '#client/format.ts'
import type { AdminLedgerEntry } from '#features/billing/admin/types.ts'
import { entryLabels } from '#features/billing/labels.ts'
import { Badge, Person } from '#ui/admin/badge.tsx'
import { type Column, DataTable } from '#ui/admin/data-table.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { CsvButton, DaysFilter, Filter, SearchField, Toolbar } from '#ui/admin/toolbar.tsx'
import { ledgerQuery, paths } from '../calls.ts'
import { useToolName } from '../tool-name.ts'

/** Entries of the ledger by whatever the address says; `fixed` narrows them to one person's. */
export function LedgerTable({ fixed }: { fixed?: { userId: string } }) {
  const { i18n, t } = useLingui()
  const address = useListAddress()
  const { tab: _, ...filters } = address.params
  const params = { limit: '25', ...filters, ...fixed }
  const query = useQuery(ledgerQuery(params))
  const toolName = useToolName()
  const columns: Column<AdminLedgerEntry>[] = [
    ...(fixed
      ? []
      : [
          {
            id: 'user',
            name: t`Pengguna`,
            wide: true as const,
            cell: ({ user }: AdminLedgerEntry) => <Person name={user.name} email={user.email} />,
          },
        ]),
    {
      id: 'kind',
      name: t`Jenis`,
      cell: ({ kind, amount }) => <Badge tone={amount > 0 ? 'good' : 'plain'}>{i18n._(entryLabels[kind])}</Badge>,
    },
    {
      id: 'about',
      name: t`Tentang`,
      cell: ({ tool, note, unlimited }) => (
        <span>
          {note ?? (tool && toolName(tool))}
          {unlimited && <span className="text-muted"> · {t`tanpa batas`}</span>}
        </span>
      ),
    },
    {
      id: 'amount',
      name: t`Kredit`,
      end: true,
      cell: ({ amount }) => (
        <span className={amount > 0 ? 'font-semibold text-success' : 'font-semibold'}>
          {amount > 0 ? '+' : ''}
          {formatNumber(amount)}
        </span>
      ),
    },
    { id: 'balance', name: t`Saldo`, end: true, cell: ({ balanceAfter }) => formatNumber(balanceAfter) },
    { id: 'at', name: t`Waktu`, end: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
  ]
  return (
    <>
      <Toolbar>
        {!fixed && <SearchField address={address} name="email" label={t`Email lengkap`} />}
        <Filter
          address={address}
          name="kind"
          label={t`Jenis`}
          all={t`Semua jenis`}
          choices={Object.entries(entryLabels).map(([kind, word]) => [kind, i18n._(word)])}
        />
        <DaysFilter address={address} />
        <CsvButton path={paths.ledger} params={{ ...filters, ...fixed }} name="rupa-credits" />
      </Toolbar>
      <DataTable
        label={t`Riwayat kredit`}
        query={query}
        address={address}
        columns={columns}
        keyOf={({ id }) => String(id)}
        {...(!fixed && { linkOf: ({ user }: AdminLedgerEntry) => `/admin/users/${user.id}?tab=kredit` })}
        empty={t`Tidak ada catatan yang cocok dengan saringan ini.`}
      />
    </>
  )
}
