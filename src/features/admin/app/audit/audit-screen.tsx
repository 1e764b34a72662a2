import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatDateTime } from '#app/format.ts'
import type { AuditEntryView } from '#features/audit/contract.ts'
import { auditQuery, paths } from '../calls.ts'
import { useListAddress } from '../ui/address.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminPage } from '../ui/page.tsx'
import { ChosenUser, CsvButton, DayFilter, Filter, SearchField, Toolbar } from '../ui/toolbar.tsx'
import { Changes } from './changes.tsx'

const subjectPaths: Record<string, string> = { account: '/admin/users', order: '/admin/billing' }
const actionKinds = ['account', 'order', 'payment', 'credits', 'voucher', 'package', 'exchange_rate', 'tool', 'claim']
const moreKinds = ['generation', 'custom_edit', 'billing', 'preset']

function Subject({ subject: { kind, id } }: Pick<AuditEntryView, 'subject'>) {
  const text = `${kind} ${id.length > 20 ? id.slice(-8) : id}`
  const path = subjectPaths[kind]
  return path ? (
    <Link to={`${path}/${id}`} className="adm-row">
      {text}
    </Link>
  ) : (
    <span>{text}</span>
  )
}

/** /admin/audit: who changed what, and why. */
export function AuditScreen() {
  const { t } = useLingui()
  const address = useListAddress()
  const query = useQuery(auditQuery({ limit: '25', ...address.params }))
  const columns: Column<AuditEntryView>[] = [
    { id: 'at', name: t`Waktu`, cell: ({ createdAt }) => formatDateTime(createdAt) },
    {
      id: 'actor',
      name: t`Pelaku`,
      cell: ({ actorName, actorId }) => actorName ?? (actorId ? t`Akun terhapus` : t`Server`),
    },
    { id: 'action', name: t`Tindakan`, cell: ({ action }) => <span className="adm-mono">{action}</span> },
    { id: 'subject', name: t`Tentang`, cell: ({ subject }) => <Subject subject={subject} /> },
    { id: 'change', name: t`Perubahan`, cell: ({ before, after }) => <Changes before={before} after={after} /> },
    { id: 'reason', name: t`Alasan`, cell: ({ reason }) => reason },
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
          choices={[...actionKinds, ...moreKinds].map((kind) => [kind, kind])}
        />
        <DayFilter address={address} name="from" label={t`Dari tanggal`} />
        <DayFilter address={address} name="to" label={t`Sampai tanggal`} />
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
