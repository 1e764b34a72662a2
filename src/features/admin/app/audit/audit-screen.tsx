import { useLingui } from '@lingui/react/macro'
import { formatDateTime } from '#client/format.ts'
import type { AuditEntryView } from '#features/audit/types.ts'
import { ChoiceFilter, DaysFilter, SearchFilter } from '#ui/admin/filters.tsx'
import { ListPage } from '#ui/admin/list.tsx'
import { TextLink } from '#ui/text-link.tsx'
import { auditList } from '../api.ts'
import { ChosenUser } from '../chosen-user.tsx'
import { differenceLabels } from '../reconciliation/labels.ts'
import { useToolName } from '../tool-name.ts'
import { Changes } from './changes.tsx'
import { actionLabels, kindLabels, subjectLabels } from './labels.ts'

const subjectPaths: Record<string, (id: string) => string> = {
  account: (id) => `/admin/users/${id}`,
  order: (id) => `/admin/billing/${id}`,
  custom_edit: (id) => `/admin/request-custom?id=${id}`,
  tool: (id) => `/admin/fitur?tool=${id}`,
}

function Subject({ subject: { kind, id }, after }: Pick<AuditEntryView, 'subject' | 'after'>) {
  const { i18n } = useLingui()
  const toolName = useToolName()
  const label = subjectLabels[kind]
  const { code } = Object(after)
  const difference = kind === 'difference' && differenceLabels[id]
  const name = () => {
    if (kind === 'tool') return toolName(id)
    if (difference) return i18n._(difference)
    if (kind === 'voucher' && typeof code === 'string') return code
    return id.length > 20 ? id.slice(-8) : id
  }
  // There is one rate.
  const text = [label ? i18n._(label) : kind, kind !== 'exchange_rate' && name()].filter(Boolean).join(' ')
  const path = subjectPaths[kind]
  if (!path) return text
  return <TextLink to={path(id)}>{text}</TextLink>
}

function Action({ action }: Pick<AuditEntryView, 'action'>) {
  const { i18n } = useLingui()
  const label = actionLabels[action]
  return (
    <span>
      {label && <span className="block font-semibold">{i18n._(label)}</span>}
      <span className={`font-mono text-muted text-xs ${label ? 'max-md:hidden' : ''}`}>{action}</span>
    </span>
  )
}

/** /admin/audit: who changed what, and why. */
export function AuditScreen() {
  const { t } = useLingui()
  return (
    <ListPage
      label={t`Log audit`}
      list={auditList}
      file="rupa-audit"
      empty={t`Tidak ada catatan yang cocok dengan saringan ini.`}
      filters={
        <>
          <SearchFilter name="subjectId" label={t`ID yang diubah`} />
          <ChoiceFilter name="action" label={t`Tindakan`} all={t`Semua tindakan`} choices={kindLabels} />
          <DaysFilter />
          <ChosenUser name="actor" />
        </>
      }
      columns={[
        {
          name: t`Waktu`,
          cell: ({ createdAt, actorName, actorId }) => (
            <span>
              <span className="block whitespace-nowrap">{formatDateTime(createdAt)}</span>
              <span className="text-muted text-xs">{actorName ?? (actorId ? t`Akun terhapus` : t`Server`)}</span>
            </span>
          ),
        },
        { name: t`Tindakan`, cell: ({ action }) => <Action action={action} /> },
        { name: t`Tentang`, cell: (entry) => <Subject {...entry} /> },
        { name: t`Perubahan`, as: 'wide', cell: (entry) => <Changes {...entry} /> },
        { name: t`Alasan`, as: 'wide', cell: ({ reason }) => reason },
      ]}
    />
  )
}
