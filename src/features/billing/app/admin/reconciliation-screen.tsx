import type { MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatAge, formatDateTime, formatNumber, formatRupiah } from '#client/format.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { Badge } from '#ui/lists/cells.tsx'
import { Panel, Rows } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { numberColumns, Table } from '#ui/lists/table.tsx'
import type { DifferenceList } from '../../admin/report-schemas.ts'
import { checkLabels, differenceLabels, problemLabels, valueLabels } from './labels.ts'

const number = numberColumns<DifferenceList['items'][number]>()

/** Others disappear once everything agrees. */
const settleable = ['unknown_session', 'unknown_payment']

function SettleDialog(json: { keys: string[] } | { what: string }) {
  const { t } = useLingui()
  return (
    <FormDialog
      reason
      title={t`Bagaimana selisih ini diselesaikan?`}
      confirm={t`Selesaikan`}
      successMessage={t`Sudah diselesaikan.`}
      change={{ path: 'billing_differences/settle', json }}
    />
  )
}

function useLabel() {
  const { i18n } = useLingui()
  return (labels: Record<string, MessageDescriptor>, name: string) => (labels[name] ? i18n._(labels[name]) : name)
}

function Subject({ what, subjectId, userId }: DifferenceList['items'][number]) {
  const isPayment = what in problemLabels
  if (!isPayment && !userId) return <span className="select-all break-all font-mono text-[0.8125rem]">{subjectId}</span>
  return (
    <Link
      to={isPayment ? '/admin/billing?problem=true' : `/admin/users/${userId}?tab=kredit`}
      className="link link-hover break-all font-mono font-semibold text-[0.8125rem]"
    >
      {isPayment ? subjectId : subjectId.slice(-12)}
    </Link>
  )
}

function Differences({ items, groups }: DifferenceList) {
  const { t } = useLingui()
  const labelOf = useLabel()
  const amountOf = (text: string) => {
    const [, amount, currency] = /^(-?\d+)( IDR)?$/.exec(text) ?? []
    if (amount === undefined) return labelOf(valueLabels, text)
    return currency ? formatRupiah(Number(amount)) : formatNumber(Number(amount))
  }
  return (
    <>
      <Rows
        rows={groups
          .filter(({ what, count }) => count > 1 && settleable.includes(what))
          .map(({ what, count }) => ({
            key: what,
            title: `${labelOf(differenceLabels, what)} · ${formatNumber(count)}×`,
            end: <DialogButton dialog={<SettleDialog what={what} />}>{t`Selesaikan semua`}</DialogButton>,
          }))}
      />
      <Table
        label={t`Selisih`}
        rows={items}
        rowKey="key"
        empty={t`Pembukuan cocok: tidak ada selisih.`}
        columns={[
          {
            name: t`Jenis selisih`,
            sortBy: ['what', ({ what }) => labelOf(differenceLabels, what)],
            cell: ({ check, what }) => (
              <span>
                <span className="block font-semibold">{labelOf(differenceLabels, what)}</span>
                <span className="text-muted text-xs">{labelOf(checkLabels, check)}</span>
              </span>
            ),
          },
          { name: t`Tentang`, as: 'wide', cell: (difference) => <Subject {...difference} /> },
          { name: t`Seharusnya`, as: 'number', cell: ({ expected }) => amountOf(expected) },
          { name: t`Ditemukan`, as: 'number', cell: ({ found }) => amountOf(found) },
          number(
            t`Terlihat`,
            'count',
            ({ count }) => count,
            (count) => `${formatNumber(count)}×`,
          ),
          number(
            t`Terakhir`,
            'seen',
            ({ lastSeenAt }) => lastSeenAt,
            (moment) => formatAge(moment),
          ),
          {
            name: t`Tindakan`,
            as: 'actions',
            cell: ({ key, what }) =>
              settleable.includes(what) && (
                <DialogButton dialog={<SettleDialog keys={[key]} />}>{t`Selesaikan`}</DialogButton>
              ),
          },
        ]}
      />
    </>
  )
}

export function ReconciliationScreen() {
  const { t } = useLingui()
  const labelOf = useLabel()
  const query = useQuery(adminQuery<DifferenceList>('billing_differences'))
  return (
    <AdminPage title={t`Pembukuan`}>
      <Loaded query={query}>
        {(data) => (
          <div className="grid gap-4">
            <Panel title={t`Pemeriksaan`}>
              <Rows
                rows={data.checks.map(({ check, startedAt, finishedAt, error }) => ({
                  key: check,
                  title: labelOf(checkLabels, check),
                  note: formatDateTime(finishedAt ?? startedAt),
                  text: error && <span className="text-error text-xs">{error}</span>,
                  end: <Badge tone={error ? 'bad' : 'good'}>{error ? t`Gagal` : t`Lancar`}</Badge>,
                }))}
              />
            </Panel>
            <Panel
              title={t`Selisih`}
              actions={
                <Link to="/admin/billing?problem=true" className="btn btn-outline border-line">
                  {t`Pembayaran bermasalah`}
                </Link>
              }
            >
              <Differences {...data} />
            </Panel>
          </div>
        )}
      </Loaded>
    </AdminPage>
  )
}
