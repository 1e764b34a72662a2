import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber } from '#client/format.ts'
import { entryLabels } from '#features/billing/labels.ts'
import { ChoiceFilter, DaysFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { List, ListTotals } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { Badge } from '#ui/lists/badge.tsx'
import { Person } from '#ui/lists/person.tsx'
import { ledgerList, ledgerTotalsQuery } from '../api.ts'
import { useToolName } from '../tool-name.ts'

/** The sums of all entries that the list shows. */
function Totals({ shown }: { shown: Record<string, string> }) {
  const { t } = useLingui()
  const { data } = useQuery({ ...ledgerTotalsQuery(shown), placeholderData: keepPreviousData })
  if (!data) return null
  const { entries, given, taken } = data
  return (
    <ListTotals>
      {[
        t`${plural(entries, { other: '# catatan' })}`,
        t`masuk ${formatNumber(given)} kredit`,
        t`keluar ${formatNumber(-taken)} kredit`,
      ]}
    </ListTotals>
  )
}

export function LedgerEntries({ userId }: { userId?: string }) {
  const { i18n, t } = useLingui()
  const toolName = useToolName()
  return (
    <List
      label={t`Riwayat kredit`}
      list={ledgerList}
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
      totals={(shown) => <Totals shown={shown} />}
      fixed={userId ? { userId } : undefined}
      link={userId ? undefined : ({ user }) => `/admin/users/${user.id}?tab=kredit`}
      columns={[
        !userId && {
          name: t`Pengguna`,
          as: 'wide',
          cell: ({ user }) => <Person name={user.name} email={user.email} />,
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
        {
          name: t`Waktu`,
          as: 'number',
          sorts: { ascending: 'oldest', descending: 'newest' },
          cell: ({ createdAt }) => formatDateTime(createdAt),
        },
      ]}
    />
  )
}

/** /admin/kredit/riwayat: everybody's credit history. */
export function LedgerScreen() {
  const { t } = useLingui()
  return (
    <AdminPage title={t`Riwayat kredit`}>
      <LedgerEntries />
    </AdminPage>
  )
}
