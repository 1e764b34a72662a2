import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { formatDateTime } from '#client/format.ts'
import { ChoiceFilter, DaysFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { ListPage } from '#ui/admin/list.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Badge } from '#ui/lists/cells.tsx'
import { Code, TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { SecurityEventView } from '../../schemas.ts'
import { ChosenUser } from './chosen-user.tsx'
import { securityDetailLabels, securityEvents } from './labels.ts'

const networkLabels: Record<string, MessageDescriptor> = {
  local: msg`Komputer server`,
  private: msg`Jaringan pribadi`,
}

/** Addresses and routes stay unchanged. */
function Term({ labels, name }: { labels: Record<string, MessageDescriptor>; name: string | null }) {
  const { i18n } = useLingui()
  const label = name === null ? undefined : labels[name]
  return label ? i18n._(label) : <Code>{name ?? '–'}</Code>
}

const kinds = Object.fromEntries(Object.entries(securityEvents).map(([kind, { label }]) => [kind, label]))

export function SecurityScreen() {
  const { i18n, t } = useLingui()
  return (
    <ListPage
      label={t`Log keamanan`}
      list={adminList<SecurityEventView>('security_events')}
      file="rupa-security"
      defaultSort="newest"
      empty={t`Tidak ada peristiwa yang cocok dengan saringan ini. Log ini disimpan setengah tahun.`}
      filters={
        <>
          <SearchFilter label={t`Cari nama atau email`} />
          <ChoiceFilter name="kind" label={t`Peristiwa`} all={t`Semua peristiwa`} choices={kinds} />
          <DaysFilter />
          <ChosenUser name="user" />
        </>
      }
      columns={[
        {
          name: t`Waktu`,
          sorts: createdAtColumn.sorts,
          cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDateTime(createdAt)}</span>,
        },
        {
          name: t`Peristiwa`,
          cell: ({ kind }) => <Badge tone={securityEvents[kind].tone}>{i18n._(securityEvents[kind].label)}</Badge>,
        },
        {
          name: t`Akun`,
          cell: ({ userId, userName }) =>
            userId ? (
              <TextLink to={`/admin/users/${userId}`}>{userName ?? t`Akun terhapus`}</TextLink>
            ) : (
              <span className="text-muted">{t`Tidak dikenal`}</span>
            ),
        },
        { name: t`Jaringan`, cell: ({ addressClass }) => <Term labels={networkLabels} name={addressClass} /> },
        { name: t`Rincian`, as: 'wide', cell: ({ detail }) => <Term labels={securityDetailLabels} name={detail} /> },
      ]}
    />
  )
}
