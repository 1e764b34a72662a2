import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { RotateCcw } from 'lucide-react'
import { formatDateTime, formatNumber, formatSeconds } from '#client/format.ts'
import type { AdminUserDetail } from '#features/account/admin/schemas.ts'
import { entryLabels, statusLabels } from '#features/billing/labels.ts'
import type { OrderStatus } from '#features/billing/rules.ts'
import { customEditLabels } from '#features/custom-edits/labels.ts'
import { useActRefusal } from '#ui/admin/act-refusal.tsx'
import { ChoiceFilter } from '#ui/admin/filters.tsx'
import { List } from '#ui/admin/list.tsx'
import { adminList, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Badge } from '#ui/lists/badge.tsx'
import { Code, TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { TimelineKind } from '../../rules.ts'
import type { TimelineEntry } from '../../schemas.ts'
import { actionLabels } from '../audit/labels.ts'
import { orderReasonLabels, securityDetailLabels, securityEvents } from '../labels.ts'
import { useToolName } from '../tool-name.ts'
import { usePermission } from '../use-permission.ts'

const kinds: Record<TimelineKind, MessageDescriptor> = {
  run: msg({ message: 'Pembuatan', context: 'a single one' }),
  order: msg({ message: 'Pesanan', context: 'a single one' }),
  credits: msg`Kredit`,
  claim: msg({ message: 'Permintaan kredit kembali', context: 'a single one' }),
  request: msg({ message: 'Permintaan khusus', context: 'a single one' }),
  mail: msg`Email`,
  security: msg`Keamanan`,
  staff: msg`Oleh staf`,
}

const states: Record<string, MessageDescriptor> = {
  queued: msg`Menunggu`,
  detecting: msg`Berjalan`,
  generating: msg`Berjalan`,
  succeeded: msg`Berhasil`,
  failed: msg`Gagal`,
  cancelled: msg`Dibatalkan`,
  waiting: msg`Menunggu`,
  refunded: msg`Dikembalikan`,
  declined: msg`Ditolak`,
  sent: msg`Terkirim`,
  owed: msg`Belum terkirim`,
}

function useWords(): (entry: TimelineEntry) => [name: string, text: string | null] {
  const { i18n, t } = useLingui()
  const toolName = useToolName()
  const known = (label: MessageDescriptor | undefined, name: string) => (label ? i18n._(label) : name)
  return ({ kind, what, state, detail, amount }) => {
    const stands = state && known(states[state], state)
    switch (kind) {
      case 'run':
        return [`${toolName(what)} · ${stands}`, detail]
      case 'order':
        return [
          [state, i18n._(statusLabels[Number(what) as OrderStatus])].filter(Boolean).join(' · '),
          detail && known(orderReasonLabels[detail], detail),
        ]
      case 'credits':
        return [
          `${known(entryLabels[what as keyof typeof entryLabels], what)} · ${(amount ?? 0) > 0 ? '+' : ''}${formatNumber(amount ?? 0)}`,
          detail,
        ]
      case 'claim':
        return [t`Minta kredit kembali · ${stands}`, detail]
      case 'request':
        return [known(customEditLabels[state as keyof typeof customEditLabels], state ?? ''), detail]
      case 'mail':
        return [detail ?? what, stands]
      case 'security':
        return [
          known(securityEvents[what as keyof typeof securityEvents]?.label, what),
          detail && known(securityDetailLabels[detail], detail),
        ]
      case 'staff':
        return [known(actionLabels[what], what), [state, detail].filter(Boolean).join(' · ')]
    }
  }
}

const paths: Partial<Record<TimelineKind, (id: string) => string>> = {
  order: (id) => `/admin/billing/${id}`,
  request: (id) => `/admin/request-custom?id=${id}`,
}

export function Timeline({ user }: { user: AdminUserDetail }) {
  const { i18n, t } = useLingui()
  const may = usePermission()
  const mayHelp = useActRefusal()(user) === undefined && may('help')
  const wordsOf = useWords()
  const { mutate } = useChange({ successMessage: t`Pembuatan ini berjalan lagi.` })
  return (
    <List
      label={t`Linimasa`}
      list={adminList<TimelineEntry>(`users/${user.id}/timeline`)}
      file="rupa-timeline"
      rowKey="key"
      defaultSort="newest"
      empty={t`Belum ada aktivitas.`}
      filters={<ChoiceFilter name="kind" label={t`Jenis`} all={t`Semua jenis`} choices={kinds} />}
      columns={[
        {
          name: t`Waktu`,
          sorts: createdAtColumn.sorts,
          cell: ({ at }) => <span className="whitespace-nowrap">{formatDateTime(at)}</span>,
        },
        { name: t`Jenis`, cell: ({ kind }) => <Badge tone="plain">{i18n._(kinds[kind])}</Badge> },
        {
          name: t`Peristiwa`,
          as: 'wide',
          cell: (entry) => {
            const [name, text] = wordsOf(entry)
            const mayOpen = entry.kind !== 'request' || may('requests')
            const path = mayOpen && entry.subject && paths[entry.kind]?.(entry.subject)
            const { code, technical, seconds, usd } = entry
            const facts = [
              technical,
              seconds === null ? null : formatSeconds(seconds),
              usd === null ? null : `US$ ${formatNumber(usd)}`,
            ]
            return (
              <span className="grid">
                <span className="font-semibold">{path ? <TextLink to={path}>{name}</TextLink> : name}</span>
                {text && <span className="wrap-anywhere">{text}</span>}
                <span className="wrap-anywhere text-muted text-xs">
                  {code && <Code>{code} </Code>}
                  {facts.filter(Boolean).join(' · ')}
                </span>
              </span>
            )
          },
        },
        mayHelp && {
          name: t`Tindakan`,
          as: 'actions',
          cell: ({ again, subject }) =>
            again && (
              <Button
                variant="outline"
                icon={RotateCcw}
                onClick={() => mutate({ path: `generations/${subject}/run_again` })}
              >
                {t`Jalankan lagi`}
              </Button>
            ),
        },
      ]}
    />
  )
}
