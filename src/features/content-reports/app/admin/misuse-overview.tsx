import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber } from '#client/format.ts'
import { useToolName } from '#tools/tool-name.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { TablePanel } from '#ui/admin/list.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { Person } from '#ui/lists/cells.tsx'
import type { AccountLimitView, LimitList, MisuseCounts } from '../../schemas.ts'
import { refusalLabels } from './contributions.ts'

export function MisuseCountsCard() {
  const { t, i18n } = useLingui()
  const toolName = useToolName()
  const { data } = useQuery(adminQuery<MisuseCounts>('content_reports/counts'))
  if (!data) return null
  const { reports, kept, withdrawn, limited, limitedAccounts, refusals } = data
  const figures: [string, number][] = [
    [t`Laporan`, reports],
    [t`Dibiarkan`, kept],
    [t`Tautan dicabut`, withdrawn],
    [t`Akun dibatasi lewat laporan`, limited],
    [t`Sedang dibatasi`, limitedAccounts],
    [t`Isi yang ditolak`, refusals.reduce((sum, { count }) => sum + count, 0)],
  ]
  return (
    <section aria-label={t`30 hari terakhir`} className="mb-4">
      <h2 className="mb-2 font-bold text-sm">{t`30 hari terakhir`}</h2>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-2 lg:grid-cols-6">
        {figures.map(([name, value]) => (
          <div key={name} className="card flex flex-col-reverse justify-end px-4 py-3">
            <dt className="text-muted text-xs">{name}</dt>
            <dd className="font-bold text-xl tabular-nums">{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {refusals.length > 0 && (
        <p className="mt-2 text-muted text-sm">
          {t`Ditolak:`}{' '}
          {refusals
            .map(({ tool, kind, count }) => `${toolName(tool)} (${i18n._(refusalLabels[kind])}) ${formatNumber(count)}`)
            .join(' · ')}
        </p>
      )}
    </section>
  )
}

function EndLimitDialog({ limit: { id, user } }: { limit: AccountLimitView }) {
  const { t } = useLingui()
  return (
    <FormDialog
      title={t`Akhiri batas ${user.name}?`}
      text={t`Akunnya langsung bisa dipakai lagi.`}
      confirm={t`Akhiri batas`}
      successMessage={t`Batasnya sudah diakhiri.`}
      reason
      change={{ path: `account_limits/${id}/end` }}
    />
  )
}

export function AccountLimits() {
  const { t } = useLingui()
  const { data } = useQuery(adminQuery<LimitList>('account_limits'))
  if (!data) return null
  return (
    <TablePanel
      title={t`Akun yang sedang dibatasi`}
      rows={data.items}
      empty={t`Tidak ada akun yang dibatasi.`}
      columns={[
        { name: t`Nama`, as: 'wide', cell: ({ user: { name, email } }) => <Person name={name} email={email} /> },
        { name: t`Alasan`, as: 'wide', cell: ({ reason }) => reason ?? t`Penolakan berulang` },
        { name: t`Oleh`, cell: ({ by }) => by ?? t`Server` },
        { name: t`Sampai`, cell: ({ until }) => formatDateTime(until) },
        {
          name: t`Tindakan`,
          as: 'actions',
          cell: (limit) => <DialogButton dialog={<EndLimitDialog limit={limit} />}>{t`Akhiri batas`}</DialogButton>,
        },
      ]}
    />
  )
}
