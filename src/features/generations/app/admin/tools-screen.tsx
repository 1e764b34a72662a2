import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { formatDateTime, formatNumber, formatSeconds, formatShare } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { useToolName, useTools } from '#tools/tool-name.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { toolsQuery } from '#tools/ui/tools-query.ts'
import { ChangeSwitch } from '#ui/admin/change-switch.tsx'
import { showDialog } from '#ui/admin/dialogs.tsx'
import { SearchFilter } from '#ui/admin/filters.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { ShortList, TablePanel } from '#ui/admin/list.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { TextField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { useListParams } from '#ui/lists/list-params.ts'
import { Code } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { numberColumns } from '#ui/lists/table.tsx'
import { toolMessageMax } from '../../rules.ts'
import type { ToolSettingsView } from '../../schemas.ts'
import { ProvidersPanel, TaskOrdersPanel } from './providers-panels.tsx'
import { ToolDetail } from './tool-detail.tsx'

const number = numberColumns<ToolSettingsView>()

type ToolFigures = { tool: string; generations: number; failed: number; medianSeconds: number | null }

const ComparePanel = lazyComponent(() => import('./compare-panel.tsx'), 'ComparePanel', null)
const HostedPanel = lazyComponent(() => import('./hosted-panel.tsx'), 'HostedPanel', null)
const ModelsPanel = lazyComponent(() => import('./models-panel.tsx'), 'ModelsPanel', null)

function SwitchOffDialog({ tool }: { tool: string }) {
  const { t } = useLingui()
  const name = useToolName()(tool)
  return (
    <FormDialog
      danger
      title={t`Matikan ${name}?`}
      text={t`Pembuatan yang sudah berjalan tetap selesai; yang baru ditolak tanpa memotong kredit.`}
      confirm={t`Matikan`}
      successMessage={t`${name} sudah dimatikan.`}
      values={{ message: '', messageEn: '' }}
      change={(message) => ({ path: `tools/${tool}`, method: 'PATCH', json: { enabled: false, ...message } })}
    >
      {({ field }) => (
        <>
          <TextField
            label={t`Pesan untuk pengguna`}
            hint={t`Misalnya kapan alat ini kembali. Boleh kosong.`}
            maxLength={toolMessageMax}
            {...field('message')}
          />
          <TextField label={t`Pesan dalam bahasa Inggris`} maxLength={toolMessageMax} {...field('messageEn')} />
        </>
      )}
    </FormDialog>
  )
}

function Name({ tool, enabled, message, messageEn }: ToolSettingsView) {
  const { i18n, t } = useLingui()
  const [own, other] = i18n.locale === 'en' ? [messageEn, message] : [message, messageEn]
  const nameOf = useToolName()
  const mark = useTools().find(({ id }) => id === tool)?.icon
  return (
    <span className="flex items-center gap-3">
      {mark && <ToolIcon mark={mark} className="size-7 shrink-0 text-primary" />}
      <span>
        <span className="block">{nameOf(tool)}</span>
        {!enabled && <span className="block font-normal text-muted text-xs">{own || other || t`Tanpa pesan`}</span>}
      </span>
    </span>
  )
}

interface FailingJob {
  name: string
  jobs: number
  since: string
  reason: string
}

function FailingJobs() {
  const { t } = useLingui()
  const { data } = useQuery(adminQuery<{ failing: FailingJob[] }>('jobs'))
  return (
    <TablePanel
      title={t`Pekerjaan yang gagal`}
      rows={data?.failing ?? []}
      rowKey="name"
      empty={t`Semua pekerjaan berjalan baik.`}
      columns={[
        { name: t`Pekerjaan`, cell: ({ name }) => <Code>{name}</Code> },
        { name: t`Sebab`, cell: ({ reason }) => reason },
        { name: t`Jumlah`, as: 'number', cell: ({ jobs }) => formatNumber(jobs) },
        { name: t`Sejak`, as: 'number', cell: ({ since }) => formatDateTime(since) },
      ]}
    />
  )
}

export function ToolsScreen() {
  const { t } = useLingui()
  const { params, href } = useListParams()
  const [, navigate] = useLocation()
  const nameOf = useToolName()
  const query = useQuery(adminQuery<{ items: ToolSettingsView[] }>('tools'))
  const { data: prices } = useQuery(toolsQuery)
  const { data: dashboard } = useQuery(adminQuery<{ tools: ToolFigures[] }>('dashboard', { period: '30d' }))
  const creditsOf = (tool: string) => prices?.items.find(({ id }) => id === tool)?.credits ?? 0
  const figuresOf = (tool: string) => dashboard?.tools.find((entry) => entry.tool === tool)
  const failedShare = (tool: string) => {
    const { generations = 0, failed = 0 } = figuresOf(tool) ?? {}
    return generations === 0 ? null : failed / generations
  }
  const isFailing = (tool: string) => (figuresOf(tool)?.generations ?? 0) > 20 && (failedShare(tool) ?? 0) > 0.1
  const shown = query.data?.items.find(({ tool }) => tool === params.tool)
  return (
    <AdminPage title={t`Alat`}>
      <Loaded query={query} height="h-96">
        {({ items }) => (
          <div className="grid gap-4">
            <ShortList
              label={t`Alat`}
              rows={items}
              rowKey="tool"
              textOf={({ tool }) => nameOf(tool)}
              filters={<SearchFilter label={t`Cari alat`} />}
              link={({ tool }) => href({ tool })}
              empty={t`Tidak ada alat.`}
              columns={[
                {
                  name: t`Nama alat`,
                  sortBy: ['name', ({ tool }) => nameOf(tool)],
                  cell: (settings) => <Name {...settings} />,
                },
                {
                  name: t`Menyala`,
                  sortBy: ['on', ({ enabled }) => Number(enabled)],
                  cell: ({ tool, enabled }) => (
                    <ChangeSwitch
                      label={t`${nameOf(tool)} menyala`}
                      checked={enabled}
                      change={(on) => {
                        // Switching off asks for a message first.
                        if (on) return { path: `tools/${tool}`, method: 'PATCH', json: { enabled: true } }
                        showDialog(<SwitchOffDialog tool={tool} />)
                        return null
                      }}
                    />
                  ),
                },
                number(t`Kredit`, 'credits', ({ tool }) => creditsOf(tool)),
                number(t`Pembuatan 30 hari`, 'runs', ({ tool }) => figuresOf(tool)?.generations ?? 0),
                number(
                  t`Gagal`,
                  'failed',
                  ({ tool }) => failedShare(tool),
                  (share, { tool }) =>
                    isFailing(tool) ? <Badge tone="warn">{formatShare(share)}</Badge> : formatShare(share),
                ),
                number(
                  t`Median durasi`,
                  'seconds',
                  ({ tool }) => figuresOf(tool)?.medianSeconds ?? null,
                  formatSeconds,
                ),
              ]}
            />
            <ProvidersPanel />
            <HostedPanel />
            <TaskOrdersPanel />
            <ComparePanel />
            <ModelsPanel />
            <FailingJobs />
          </div>
        )}
      </Loaded>
      {shown && <ToolDetail settings={shown} onClose={() => navigate(href({ tool: undefined }), { replace: true })} />}
    </AdminPage>
  )
}
