import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { RotateCcw } from 'lucide-react'
import { formatDateTime, formatNumber, formatSeconds } from '#client/format.ts'
import type { Staff } from '#shared/roles.ts'
import { useToolName } from '#tools/tool-name.ts'
import { ChoiceFilter } from '#ui/admin/filters.tsx'
import { List } from '#ui/admin/list.tsx'
import { useActRefusal, usePermission } from '#ui/admin/permissions.tsx'
import { adminList, useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { Code, TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import type { TimelineSection } from '../contributions.ts'
import type { TimelineKind } from '../rules.ts'
import type { TimelineEntry } from '../schemas.ts'

export const mailSection: TimelineSection = {
  name: msg`Email`,
  wordsOf: ({ what, detail }, { state }) => [detail ?? what, state],
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

export function Timeline({
  user,
  sections,
}: {
  user: Staff & { id: string }
  sections: Record<TimelineKind, TimelineSection>
}) {
  const { i18n, t } = useLingui()
  const may = usePermission()
  const mayHelp = useActRefusal()(user) === undefined && may('help')
  const toolName = useToolName()
  const textOf = (label: MessageDescriptor | undefined, name: string) => (label ? i18n._(label) : name)
  const names = Object.fromEntries(Object.entries(sections).map(([kind, { name }]) => [kind, name]))
  const { mutate } = useChange({ successMessage: t`Pembuatan ini berjalan lagi.` })
  return (
    <List
      label={t`Linimasa`}
      list={adminList<TimelineEntry>(`users/${user.id}/timeline`)}
      file="rupa-timeline"
      rowKey="key"
      defaultSort="newest"
      empty={t`Belum ada aktivitas.`}
      filters={<ChoiceFilter name="kind" label={t`Jenis`} all={t`Semua jenis`} choices={names} />}
      columns={[
        {
          name: t`Waktu`,
          sorts: createdAtColumn.sorts,
          cell: ({ at }) => <span className="whitespace-nowrap">{formatDateTime(at)}</span>,
        },
        { name: t`Jenis`, cell: ({ kind }) => <Badge tone="plain">{i18n._(sections[kind].name)}</Badge> },
        {
          name: t`Peristiwa`,
          as: 'wide',
          cell: (entry) => {
            const { code, technical, seconds, usd, state, subject } = entry
            const { wordsOf, needs, path: pathOf } = sections[entry.kind]
            const texts = { text: textOf, toolName, state: state === null ? '' : textOf(states[state], state) }
            const [name, text] = wordsOf(entry, texts)
            const path = subject && (!needs || may(needs)) && pathOf?.(subject)
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
