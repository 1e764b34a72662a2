import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatAge, formatDateTime, formatNumber } from '#client/format.ts'
import type { Role } from '#contract/roles.ts'
import type { AdminUserView } from '#features/account/admin/types.ts'
import { Badge, Person } from '#ui/admin/badge.tsx'
import { type Column, DataTable } from '#ui/admin/data-table.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { CsvButton, Filter, SearchField, Toolbar } from '#ui/admin/toolbar.tsx'
import { paths, usersQuery } from '../calls.ts'
import { roleWords } from '../words.ts'
import { AccountState } from './account-state.tsx'

const roleNames: Role[] = ['user', 'designer', 'admin']

/** /admin/users: everybody who has an account. */
export function UsersScreen() {
  const { i18n, t } = useLingui()
  const address = useListAddress()
  const query = useQuery(usersQuery({ limit: '25', ...address.params }))
  const columns: Column<AdminUserView>[] = [
    {
      id: 'name',
      name: t`Nama`,
      cell: ({ name, email }) => <Person name={name} email={email} />,
      sorts: { ascending: 'name' },
    },
    { id: 'status', name: t`Status`, cell: (user) => <AccountState user={user} /> },
    {
      id: 'role',
      name: t`Peran`,
      cell: ({ role }) =>
        role === 'user' ? i18n._(roleWords.user) : <Badge tone="accent">{i18n._(roleWords[role])}</Badge>,
    },
    { id: 'credits', name: t`Kredit`, end: true, cell: ({ credits }) => formatNumber(credits) },
    {
      id: 'created',
      name: t`Bergabung`,
      end: true,
      sorts: { ascending: 'oldest', descending: 'newest' },
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={formatDateTime(createdAt)}>
          {formatAge(createdAt)}
        </time>
      ),
    },
  ]
  return (
    <AdminPage title={t`Pengguna`}>
      <Toolbar>
        <SearchField address={address} label={t`Cari nama atau email`} />
        <Filter
          address={address}
          name="role"
          label={t`Peran`}
          all={t`Semua peran`}
          choices={roleNames.map((role) => [role, i18n._(roleWords[role])])}
        />
        <Filter
          address={address}
          name="status"
          label={t`Status`}
          all={t`Semua status`}
          choices={[
            ['active', t`Aktif`],
            ['unverified', t`Belum verifikasi`],
            ['disabled', t`Nonaktif`],
          ]}
        />
        <CsvButton path={paths.users} params={address.params} name="rupa-users" />
      </Toolbar>
      <DataTable
        label={t`Pengguna`}
        query={query}
        address={address}
        columns={columns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/admin/users/${id}`}
        defaultSort="newest"
        empty={t`Tidak ada pengguna yang cocok dengan saringan ini.`}
      />
    </AdminPage>
  )
}
