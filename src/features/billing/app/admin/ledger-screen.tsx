import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { formatDateTime, formatNumber } from '#client/format.ts'
import { useToolName } from '#tools/tool-name.ts'
import { ChoiceFilter, DaysFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { List } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Badge, Person } from '#ui/lists/cells.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { AdminLedgerEntry, LedgerTotals } from '../../admin/schemas.ts'
import { entryLabels } from '../../labels.ts'

export function LedgerEntries({ userId }: { userId?: string }) {
  const { i18n, t } = useLingui()
  const toolName = useToolName()
  return (
    <List
      label={t`Riwayat kredit`}
      list={adminList<AdminLedgerEntry>('ledger')}
      file="rupa-credits"
      empty={t`Tidak ada catatan yang cocok dengan saringan ini.`}
      filters={
        <>
          {!userId && <SearchFilter label={t`Cari nama atau email`} />}
          <ChoiceFilter name="kind" label={t`Jenis`} all={t`Semua jenis`} choices={entryLabels} />
          <DaysFilter />
        </>
      }
      defaultSort="newest"
      totals={({ entries, given, taken }: NonNullable<LedgerTotals>) => [
        t`${plural(entries, { other: '# catatan' })}`,
        t`masuk ${formatNumber(given)} kredit`,
        t`keluar ${formatNumber(-taken)} kredit`,
      ]}
      fixed={userId ? { userId } : undefined}
      link={userId ? undefined : ({ user }) => `/admin/users/${user.id}?tab=kredit`}
      columns={[
        !userId && {
          name: t({ message: 'Pengguna', context: 'a single one' }),
          as: 'wide',
          cell: ({ user }) => <Person {...user} />,
        },
        {
          name: t`Jenis`,
          cell: ({ kind, amount }) => <Badge tone={amount > 0 ? 'good' : 'plain'}>{i18n._(entryLabels[kind])}</Badge>,
        },
        {
          name: t`Tentang`,
          cell: ({ tool, note, unlimited }) => (
            <span>
              {note ?? (tool && toolName(tool))}
              {unlimited && <span className="text-muted"> · {t`tanpa batas`}</span>}
            </span>
          ),
        },
        {
          name: t`Kredit`,
          as: 'number',
          cell: ({ amount }) => (
            <span className={amount > 0 ? 'font-semibold text-success' : 'font-semibold'}>
              {amount > 0 ? '+' : ''}
              {formatNumber(amount)}
            </span>
          ),
        },
        { name: t`Saldo`, as: 'number', cell: ({ balanceAfter }) => formatNumber(balanceAfter) },
        { name: t`Waktu`, ...createdAtColumn, cell: ({ createdAt }) => formatDateTime(createdAt) },
      ]}
    />
  )
}

export function LedgerScreen() {
  const { t } = useLingui()
  return (
    <AdminPage title={t`Riwayat kredit`}>
      <LedgerEntries />
    </AdminPage>
  )
}
