import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { formatAge, formatDateTime, formatNumber } from '#client/format.ts'
import { ChoiceFilter, ChosenFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { ListPage } from '#ui/admin/list.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Badge, Person } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { AdminUserView } from '../../admin/schemas.ts'
import { bandLabels, dutyLabels, roleLabels } from './contributions.ts'

export function AccountStatus({ user: { disabled, verified } }: { user: AdminUserView }) {
  const { t } = useLingui()
  if (disabled) return <Badge tone="bad">{t`Nonaktif`}</Badge>
  return verified ? <Badge tone="good">{t`Aktif`}</Badge> : <Badge tone="warn">{t`Belum verifikasi`}</Badge>
}

export function Tags({ tags }: Pick<AdminUserView, 'tags'>) {
  return (
    <span className="flex flex-wrap gap-1">
      {tags.map((tag) => (
        <Link key={tag} to={`/admin/users?tag=${encodeURIComponent(tag)}`}>
          <Badge tone="accent">{tag}</Badge>
        </Link>
      ))}
    </span>
  )
}

export function UsersScreen() {
  const { i18n, t } = useLingui()
  const { tag } = useListParams().params
  return (
    <ListPage
      label={t`Pengguna`}
      list={adminList<AdminUserView>('users')}
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
          <ChoiceFilter name="age" label={t`Usia`} all={t`Semua usia`} choices={bandLabels} />
          {tag && <ChosenFilter name="tag" text={tag} />}
        </>
      }
      columns={[
        {
          name: t`Nama`,
          as: 'wide',
          cell: (user) => <Person {...user} />,
          sorts: { ascending: 'name', descending: 'name_down' },
        },
        { name: t`Status`, cell: (user) => <AccountStatus user={user} /> },
        {
          name: t`Peran`,
          cell: ({ role, duty }) =>
            role === 'user' ? (
              i18n._(roleLabels.user)
            ) : (
              <Badge tone="accent">{i18n._(duty ? dutyLabels[duty] : roleLabels[role])}</Badge>
            ),
        },
        { name: t`Label`, as: 'wide', cell: ({ tags }) => tags.length > 0 && <Tags tags={tags} /> },
        {
          name: t`Kredit`,
          as: 'number',
          sorts: { ascending: 'credits', descending: 'credits_down' },
          cell: ({ credits }) => formatNumber(credits),
        },
        {
          name: t`Bergabung`,
          ...createdAtColumn,
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
