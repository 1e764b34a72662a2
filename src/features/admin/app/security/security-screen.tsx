import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatDateTime } from '#client/format.ts'
import type { SecurityEventView } from '#features/audit/types.ts'
import { Badge } from '#ui/admin/badge.tsx'
import { type Column, DataTable } from '#ui/admin/data-table.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { AdminPage, Code } from '#ui/admin/page.tsx'
import { CsvButton, DaysFilter, Filter, SearchField, Toolbar } from '#ui/admin/toolbar.tsx'
import { paths, securityQuery } from '../calls.ts'
import { ChosenUser } from '../chosen-user.tsx'
import { detailWords, networkWords, securityTones, securityWords } from '../words.ts'

/** A word for what people know by one; addresses and routes as they are. */
function Term({ words, name }: { words: Record<string, MessageDescriptor>; name: string | null }) {
  const { i18n } = useLingui()
  const word = name === null ? undefined : words[name]
  return word ? i18n._(word) : <Code>{name ?? '–'}</Code>
}

/** /admin/keamanan: who signed in, who was refused, and what staff did. */
export function SecurityScreen() {
  const { i18n, t } = useLingui()
  const address = useListAddress()
  const query = useQuery(securityQuery({ limit: '25', ...address.params }))
  const columns: Column<SecurityEventView>[] = [
    {
      id: 'at',
      name: t`Waktu`,
      cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDateTime(createdAt)}</span>,
    },
    {
      id: 'kind',
      name: t`Peristiwa`,
      cell: ({ kind }) => <Badge tone={securityTones[kind]}>{i18n._(securityWords[kind])}</Badge>,
    },
    {
      id: 'user',
      name: t`Akun`,
      cell: ({ userId, userName }) =>
        userId ? (
          <Link to={`/admin/users/${userId}`} className="link link-hover font-semibold">
            {userName ?? t`Akun terhapus`}
          </Link>
        ) : (
          <span className="text-muted">{t`Tidak dikenal`}</span>
        ),
    },
    { id: 'network', name: t`Jaringan`, cell: ({ addressClass }) => <Term words={networkWords} name={addressClass} /> },
    { id: 'detail', name: t`Rincian`, wide: true, cell: ({ detail }) => <Term words={detailWords} name={detail} /> },
  ]
  return (
    <AdminPage title={t`Log keamanan`}>
      <Toolbar>
        <SearchField address={address} name="email" label={t`Email lengkap`} />
        <Filter
          address={address}
          name="kind"
          label={t`Peristiwa`}
          all={t`Semua peristiwa`}
          choices={Object.entries(securityWords).map(([kind, word]) => [kind, i18n._(word)])}
        />
        <DaysFilter address={address} />
        <ChosenUser address={address} name="user" />
        <CsvButton path={paths.security} params={address.params} name="rupa-security" />
      </Toolbar>
      <DataTable
        label={t`Log keamanan`}
        query={query}
        address={address}
        columns={columns}
        keyOf={({ id }) => String(id)}
        empty={t`Tidak ada peristiwa yang cocok dengan saringan ini. Log ini disimpan setengah tahun.`}
      />
    </AdminPage>
  )
}
