import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatDateTime } from '#client/format.ts'
import type { AuditEntryView } from '#features/audit/types.ts'
import { type Column, DataTable } from '#ui/admin/data-table.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { AdminPage } from '#ui/admin/page.tsx'
import { CsvButton, DaysFilter, Filter, SearchField, Toolbar } from '#ui/admin/toolbar.tsx'
import { differenceWords } from '../books/words.ts'
import { auditQuery, paths } from '../calls.ts'
import { ChosenUser } from '../chosen-user.tsx'
import { useToolName } from '../tool-name.ts'
import { Changes } from './changes.tsx'
import { actionWords, kindWords, subjectWords } from './words.ts'

const subjectPaths: Record<string, (id: string) => string> = {
  account: (id) => `/admin/users/${id}`,
  order: (id) => `/admin/billing/${id}`,
  custom_edit: (id) => `/admin/request-custom?id=${id}`,
  tool: (id) => `/admin/fitur?tool=${id}`,
}

function Subject({ subject: { kind, id }, after }: Pick<AuditEntryView, 'subject' | 'after'>) {
  const { i18n } = useLingui()
  const toolName = useToolName()
  const word = subjectWords[kind]
  const { code } = Object(after)
  const difference = kind === 'difference' && differenceWords[id]
  const name = () => {
    if (kind === 'tool') return toolName(id)
    if (difference) return i18n._(difference)
    if (kind === 'voucher' && typeof code === 'string') return code
    return id.length > 20 ? id.slice(-8) : id
  }
  // There is one rate.
  const text = [word ? i18n._(word) : kind, kind !== 'exchange_rate' && name()].filter(Boolean).join(' ')
  const path = subjectPaths[kind]
  return path ? (
    <Link to={path(id)} className="link link-hover font-semibold">
      {text}
    </Link>
  ) : (
    <span>{text}</span>
  )
}

function Action({ action }: Pick<AuditEntryView, 'action'>) {
  const { i18n } = useLingui()
  const word = actionWords[action]
  return (
    <span>
      {word && <span className="block font-semibold">{i18n._(word)}</span>}
      <span className={`font-mono text-[0.8125rem] text-muted text-xs ${word ? 'max-md:hidden' : ''}`}>{action}</span>
    </span>
  )
}

/** /admin/audit: who changed what, and why. */
export function AuditScreen() {
  const { i18n, t } = useLingui()
  const address = useListAddress()
  const query = useQuery(auditQuery({ limit: '25', ...address.params }))
  const columns: Column<AuditEntryView>[] = [
    {
      id: 'at',
      name: t`Waktu`,
      cell: ({ createdAt, actorName, actorId }) => (
        <span>
          <span className="block whitespace-nowrap">{formatDateTime(createdAt)}</span>
          <span className="text-muted text-xs">{actorName ?? (actorId ? t`Akun terhapus` : t`Server`)}</span>
        </span>
      ),
    },
    { id: 'action', name: t`Tindakan`, cell: ({ action }) => <Action action={action} /> },
    { id: 'subject', name: t`Tentang`, cell: (entry) => <Subject {...entry} /> },
    { id: 'change', name: t`Perubahan`, wide: true, cell: (entry) => <Changes {...entry} /> },
    { id: 'reason', name: t`Alasan`, wide: true, cell: ({ reason }) => reason },
  ]
  return (
    <AdminPage title={t`Log audit`}>
      <Toolbar>
        <SearchField address={address} name="subjectId" label={t`ID yang diubah`} />
        <Filter
          address={address}
          name="action"
          label={t`Tindakan`}
          all={t`Semua tindakan`}
          choices={Object.entries(kindWords).map(([kind, word]) => [kind, i18n._(word)])}
        />
        <DaysFilter address={address} />
        <ChosenUser address={address} name="actor" />
        <CsvButton path={paths.audit} params={address.params} name="rupa-audit" />
      </Toolbar>
      <DataTable
        label={t`Log audit`}
        query={query}
        address={address}
        columns={columns}
        keyOf={({ id }) => String(id)}
        empty={t`Tidak ada catatan yang cocok dengan saringan ini.`}
      />
    </AdminPage>
  )
}
