import { useLingui } from '@lingui/react/macro'
import { formatAge, formatDateTime, formatNumber } from '#client/format.ts'
import type { AdminUserView } from '#features/account/admin/types.ts'
import { ChoiceFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { ListPage } from '#ui/admin/list.tsx'
import { Badge } from '#ui/lists/badge.tsx'
import { Person } from '#ui/lists/person.tsx'
import { userList } from '../api.ts'
import { roleLabels } from '../labels.ts'

export function AccountStatus({ user: { disabled, verified } }: { user: AdminUserView }) {
  const { t } = useLingui()
  if (disabled) return <Badge tone="bad">{t`Nonaktif`}</Badge>
  return verified ? <Badge tone="good">{t`Aktif`}</Badge> : <Badge tone="warn">{t`Belum verifikasi`}</Badge>
}

/** /admin/users: everybody who has an account. */
export function UsersScreen() {
  const { i18n, t } = useLingui()
  return (
    <ListPage
      label={t`Pengguna`}
      list={userList}
      file="rupa-users"
      empty={t`Tidak ada pengguna yang cocok dengan saringan ini.`}
      link={({ id }) => `/admin/users/${id}`}
      defaultSort="newest"
      filters={
        <>
          <SearchFilter label={t`Cari nama atau email`} />
          <ChoiceFilter name="role" label={t`Peran`} all={t`Semua peran`} choices={roleLabels} />
          <ChoiceFilter
            name="status"
            label={t`Status`}
            all={t`Semua status`}
            choices={{ active: t`Aktif`, unverified: t`Belum verifikasi`, disabled: t`Nonaktif` }}
          />
        </>
      }
      columns={[
        {
          name: t`Nama`,
          cell: ({ name, email }) => <Person name={name} email={email} />,
          sorts: { ascending: 'name' },
        },
        { name: t`Status`, cell: (user) => <AccountStatus user={user} /> },
        {
          name: t`Peran`,
          cell: ({ role }) =>
            role === 'user' ? i18n._(roleLabels.user) : <Badge tone="accent">{i18n._(roleLabels[role])}</Badge>,
        },
        { name: t`Kredit`, as: 'number', cell: ({ credits }) => formatNumber(credits) },
        {
          name: t`Bergabung`,
          as: 'number',
          sorts: { ascending: 'oldest', descending: 'newest' },
          cell: ({ createdAt }) => (
            <time dateTime={createdAt} title={formatDateTime(createdAt)}>
              {formatAge(createdAt)}
            </time>
          ),
        },
      ]}
    />
  )
}
