import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Eye } from 'lucide-react'
import { useEffect, useState } from 'react'
import { apiFetch } from '#client/api.ts'
import { formatDateTime, formatNumber } from '#client/format.ts'
import { reasonMaxLength } from '#shared/reason.ts'
import { useToolName } from '#tools/tool-name.ts'
import { closeDialog, DialogButton } from '#ui/admin/dialogs.tsx'
import { SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { List } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { ActRefusal, useActRefusal } from '#ui/admin/permissions.tsx'
import { adminList } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField, TextField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { Person } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { TextLink } from '#ui/lists/panel.tsx'
import { createdAtColumn } from '#ui/lists/table.tsx'
import { LinkTabs } from '#ui/lists/tabs.tsx'
import { limitDays, type ReportStatus } from '../../rules.ts'
import type { DecideReport, ReportedResult } from '../../schemas.ts'
import { categoryLabels } from './contributions.ts'
import { AccountLimits, MisuseCountsCard } from './misuse-overview.tsx'

type Decision = DecideReport['decision']

function DecisionDialog({ path, decision }: { path: string; decision: Decision }) {
  const { t } = useLingui()
  const texts: Record<Decision, [title: string, text: string, confirm: string, done: string]> = {
    kept: [
      t`Biarkan gambar ini?`,
      t`Tautannya tetap berlaku. Alasanmu dikirim ke pelapor yang punya akun.`,
      t`Biarkan`,
      t`Gambarnya dibiarkan.`,
    ],
    withdrawn: [
      t`Cabut semua tautannya?`,
      t`Hasil ini tidak bisa dibagikan lagi. Alasanmu dikirim ke pemiliknya.`,
      t`Cabut tautan`,
      t`Tautannya sudah dicabut.`,
    ],
    limited: [
      t`Batasi akun ini?`,
      t`Tautan hasil ini dicabut, dan pemiliknya tidak bisa mengedit atau membagikan sampai batasnya berakhir sendiri. Alasanmu dikirim kepadanya.`,
      t`Batasi akun`,
      t`Akunnya dibatasi.`,
    ],
  }
  const [title, text, confirm, successMessage] = texts[decision]
  return (
    <FormDialog
      danger={decision !== 'kept'}
      title={title}
      text={text}
      confirm={confirm}
      successMessage={successMessage}
      reason={{ label: t`Alasan`, max: reasonMaxLength }}
      values={{ days: '7' }}
      change={({ days }) => ({ path, json: { decision, ...(decision === 'limited' && { days: Number(days) }) } })}
    >
      {(form) =>
        decision === 'limited' && (
          <SelectField
            label={t`Selama`}
            choices={Object.fromEntries(limitDays.map((days) => [days, t`${plural(days, { other: '# hari' })}`]))}
            {...form.field('days')}
          />
        )
      }
    </FormDialog>
  )
}

/** Opening the picture needs a reason, which the audit log records. */
function ReportedPicture({ path, position }: { path: string; position: number }) {
  const { t } = useLingui()
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => () => (url ? URL.revokeObjectURL(url) : undefined), [url])
  const form = useForm({
    defaultValues: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? 'required' : null }),
    send: async ({ reason }) => {
      const json = { position, reason: reason.trim() }
      const response = await apiFetch(`/api/admin/${path}/picture`, { json, headers: { accept: 'image/*' } })
      setUrl(URL.createObjectURL(await response.blob()))
    },
  })
  if (url) return <img src={url} alt={t`Hasil`} className="checker max-h-96 w-full rounded-field object-contain" />
  return (
    <Form form={form} className="grid gap-2">
      <TextField
        label={t`Alasan membuka gambarnya`}
        hint={t`Tercatat di log audit.`}
        maxLength={reasonMaxLength}
        {...form.field('reason')}
      />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" variant="outline" icon={Eye} busy={form.busy}>
        {t`Buka gambar`}
      </Button>
    </Form>
  )
}

function ReportDialog({ result }: { result: ReportedResult }) {
  const { t, i18n } = useLingui()
  const toolName = useToolName()
  const { id, user, tool, status, reports, reportCount, links, hasPicture, refusals, limitedUntil, answer } = result
  const path = `content_reports/${id}`
  const refusal = useActRefusal()(user)
  const facts = [
    toolName(tool),
    t`${plural(links, { 0: 'tanpa tautan aktif', other: '# tautan aktif' })}`,
    t`${plural(refusals, { 0: 'tanpa penolakan', other: '# penolakan' })} dalam 30 hari`,
    limitedUntil !== null && t`dibatasi sampai ${formatDateTime(limitedUntil)}`,
  ]
  return (
    <Dialog open layout="wide" title={t`Gambar dari ${user.name}`} onClose={closeDialog}>
      <div className="grid gap-4">
        <p className="text-muted">{facts.filter(Boolean).join(' · ')}</p>
        <ul className="grid gap-2">
          {reports.map((report) => (
            <li key={report.createdAt + report.note} className="wrap-anywhere border-line border-s-2 pl-4">
              <span className="font-semibold">{i18n._(categoryLabels[report.category])}</span>{' '}
              <span className="text-muted text-xs">
                {[
                  formatDateTime(report.createdAt),
                  report.own ? t`oleh pemiliknya` : report.guest ? t`oleh tamu` : t`oleh pengguna`,
                ].join(' · ')}
              </span>
              {report.note && <span className="block">{report.note}</span>}
            </li>
          ))}
        </ul>
        {reportCount > reports.length && (
          <p className="text-muted text-sm">{t`${formatNumber(reportCount)} laporan, ditampilkan yang terbaru.`}</p>
        )}
        {answer !== null && <p className="wrap-anywhere text-muted">{t`Jawaban: ${answer}`}</p>}
        {hasPicture ? (
          <ReportedPicture path={path} position={reports[0]?.position ?? 0} />
        ) : (
          <p className="text-muted">{t`Gambarnya sudah terhapus.`}</p>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span className="mr-auto">
            <TextLink to={`/admin/users/${user.id}`}>{t`Lihat akunnya`}</TextLink>
          </span>
          {status === 'waiting' && refusal && <ActRefusal>{refusal}</ActRefusal>}
          {status === 'waiting' && !refusal && (
            <>
              <DialogButton dialog={<DecisionDialog path={path} decision="kept" />}>{t`Biarkan`}</DialogButton>
              <DialogButton dialog={<DecisionDialog path={path} decision="limited" />}>{t`Batasi akun`}</DialogButton>
              <DialogButton variant="primary" dialog={<DecisionDialog path={path} decision="withdrawn" />}>
                {t`Cabut tautan`}
              </DialogButton>
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}

export function ReportsScreen() {
  const { t, i18n } = useLingui()
  const { params, href } = useListParams()
  const toolName = useToolName()
  const { status = 'waiting' } = params
  const names: Record<ReportStatus | 'limits', string> = {
    waiting: t`Menunggu`,
    kept: t`Dibiarkan`,
    withdrawn: t`Tautan dicabut`,
    limited: t`Akun dibatasi`,
    limits: t`Sedang dibatasi`,
  }
  return (
    <AdminPage
      title={t`Laporan gambar`}
      text={t`Gambar hanya terbuka dengan alasan, dan itu tercatat di log audit. Keputusanmu dikirim lewat email.`}
    >
      <MisuseCountsCard />
      <LinkTabs
        label={t`Laporan gambar`}
        current={status}
        tabs={Object.entries(names).map(([id, name]) => ({
          id,
          name,
          to: href({ status: id === 'waiting' ? '' : id, sort: '' }),
        }))}
      />
      {status === 'limits' ? (
        <AccountLimits />
      ) : (
        <List
          label={t`Laporan gambar`}
          list={adminList<ReportedResult>('content_reports')}
          file="rupa-content-reports"
          empty={status === 'waiting' ? t`Tidak ada laporan yang menunggu.` : t`Belum ada.`}
          defaultSort={status === 'waiting' ? 'oldest' : 'newest'}
          filters={<SearchFilter label={t`Cari nama atau email`} />}
          columns={[
            { name: t`Nama`, as: 'wide', cell: ({ user: { name, email } }) => <Person name={name} email={email} /> },
            { name: t`Nama alat`, cell: ({ tool }) => toolName(tool) },
            {
              name: t`Alasan`,
              as: 'wide',
              cell: ({ reports, answer, decidedBy }) => (
                <span className="wrap-anywhere grid">
                  <span>
                    {[...new Set(reports.map(({ category }) => i18n._(categoryLabels[category])))].join(', ')}
                  </span>
                  {answer !== null && (
                    <span className="line-clamp-2 text-muted text-xs">
                      {[decidedBy, answer].filter(Boolean).join(': ')}
                    </span>
                  )}
                </span>
              ),
            },
            { name: t`Laporan`, as: 'number', cell: ({ reportCount }) => formatNumber(reportCount) },
            { name: t`Penolakan`, as: 'number', cell: ({ refusals }) => formatNumber(refusals) },
            { name: t`Dibuat`, ...createdAtColumn, cell: ({ createdAt }) => formatDateTime(createdAt) },
            {
              name: t`Tindakan`,
              as: 'actions',
              cell: (result) => (
                <DialogButton dialog={<ReportDialog result={result} />}>
                  {result.status === 'waiting' ? t`Putuskan` : t`Lihat`}
                </DialogButton>
              ),
            },
          ]}
        />
      )}
    </AdminPage>
  )
}
