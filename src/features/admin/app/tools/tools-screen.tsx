import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { formatNumber } from '#client/format.ts'
import type { ToolSettingsView } from '#features/generations/types.ts'
import { ToolIcon } from '#tools/ui/tool-icon.tsx'
import { toolsQuery } from '#tools/ui/tools-query.ts'
import { Badge } from '#ui/admin/badge.tsx'
import { type Column, ShortTable } from '#ui/admin/data-table.tsx'
import { useListAddress } from '#ui/admin/list-address.ts'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Panel } from '#ui/admin/page.tsx'
import { readQuery, useChange } from '#ui/admin/queries.ts'
import { Switch } from '#ui/admin/switch.tsx'
import { dashboardQuery } from '../calls.ts'
import { formatSeconds, formatShare } from '../dashboard/figures.tsx'
import { useToolName, useTools } from '../tool-name.ts'
import { useEngineName } from './engine-choice.tsx'
import { FailingJobs } from './failing-jobs.tsx'
import { SwitchOffDialog } from './switch-off-dialog.tsx'
import { ToolDetail } from './tool-detail.tsx'

export interface ToolSettingsList {
  items: ToolSettingsView[]
}
export const settingsQuery = readQuery<ToolSettingsList>(['tools'], '/api/admin/tools')

/** Switches a tool on at once; before it goes off, people are told something. */
function ToolSwitch({ settings, onOff }: { settings: ToolSettingsView; onOff: () => void }) {
  const { t } = useLingui()
  const nameOf = useToolName()
  const change = useChange()
  const { tool, enabled } = settings
  const turnOn = () =>
    change.mutate({
      path: `/api/admin/tools/${tool}`,
      method: 'PATCH',
      json: { enabled: true },
      optimistic: {
        key: settingsQuery.queryKey,
        apply: ({ items }: ToolSettingsList) => ({
          items: items.map((item) => (item.tool === tool ? { ...item, enabled: true } : item)),
        }),
      },
    })
  return <Switch label={t`${nameOf(tool)} menyala`} checked={enabled} onChange={enabled ? onOff : turnOn} />
}

/** /admin/fitur: the tools, whether they are on, how they do, and what fails. */
export function ToolsScreen() {
  const { i18n, t } = useLingui()
  const { params, href } = useListAddress()
  const [, navigate] = useLocation()
  const entries = useTools()
  const nameOf = useToolName()
  const engineName = useEngineName()
  const [goingOff, setGoingOff] = useState<string | null>(null)
  const query = useQuery(settingsQuery)
  const { data: prices } = useQuery(toolsQuery)
  const { data: dashboard } = useQuery(dashboardQuery('30d'))
  const figuresOf = (tool: string) => dashboard?.tools.find((entry) => entry.tool === tool)
  const columns: Column<ToolSettingsView>[] = [
    {
      id: 'tool',
      name: t`Nama alat`,
      cell: ({ tool, enabled, message }) => {
        const mark = entries.find(({ id }) => id === tool)?.icon
        return (
          <span className="flex items-center gap-3">
            {mark && <ToolIcon mark={mark} className="size-7 shrink-0 text-primary" />}
            <span>
              <span className="block">{nameOf(tool)}</span>
              {!enabled && <span className="block font-normal text-muted text-xs">{message || t`Tanpa pesan`}</span>}
            </span>
          </span>
        )
      },
    },
    {
      id: 'on',
      name: t`Menyala`,
      cell: (settings) => <ToolSwitch settings={settings} onOff={() => setGoingOff(settings.tool)} />,
    },
    {
      id: 'provider',
      name: t`Mesin`,
      cell: ({ provider, tool }) => {
        const { generations = 0, failed = 0 } = figuresOf(tool) ?? {}
        const ailing = generations > 20 && failed / generations > 0.1
        return <Badge tone={ailing ? 'warn' : 'good'}>{engineName(provider)}</Badge>
      },
    },
    {
      id: 'price',
      name: t`Kredit`,
      end: true,
      cell: ({ tool }) => formatNumber(prices?.items.find(({ id }) => id === tool)?.credits ?? 0),
    },
    {
      id: 'runs',
      name: t`Pembuatan 30 hari`,
      end: true,
      cell: ({ tool }) => formatNumber(figuresOf(tool)?.generations ?? 0),
    },
    {
      id: 'failed',
      name: t`Gagal`,
      end: true,
      cell: ({ tool }) => {
        const figures = figuresOf(tool)
        return figures ? formatShare(figures.failed / figures.generations, i18n.locale) : '–'
      },
    },
    {
      id: 'seconds',
      name: t`Median durasi`,
      end: true,
      cell: ({ tool }) => formatSeconds(figuresOf(tool)?.medianSeconds ?? null, i18n.locale),
    },
  ]
  const shown = query.data?.items.find(({ tool }) => tool === params.tool)
  return (
    <AdminPage title={t`Fitur`}>
      <Loaded query={query} height="h-96">
        {({ items }) => (
          <div className="grid gap-4">
            <Panel>
              <ShortTable
                label={t`Fitur`}
                columns={columns}
                rows={items}
                keyOf={({ tool }) => tool}
                linkOf={({ tool }) => href({ tool })}
                empty={t`Tidak ada alat.`}
              />
            </Panel>
            <FailingJobs />
          </div>
        )}
      </Loaded>
      {shown && <ToolDetail settings={shown} onClose={() => navigate(href({ tool: undefined }), { replace: true })} />}
      {goingOff && <SwitchOffDialog tool={goingOff} onClose={() => setGoingOff(null)} />}
    </AdminPage>
  )
}
