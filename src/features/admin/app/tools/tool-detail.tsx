import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { Link } from 'wouter'
import { formatDateTime } from '#client/format.ts'
import type { ToolSettingsView } from '#features/generations/types.ts'
import { Code, Nothing } from '#ui/admin/page.tsx'
import { readQuery, useChange } from '#ui/admin/queries.ts'
import { Switch } from '#ui/admin/switch.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { Failures } from '../../types.ts'
import { useToolName } from '../tool-name.ts'
import { EngineChoice, useEngineName } from './engine-choice.tsx'
import { ToolLimits } from './tool-limits.tsx'

function FailureList({ tool }: { tool: string }) {
  const { t } = useLingui()
  const nameOf = useEngineName()
  const query = useQuery(readQuery<Failures>(['failures', tool], `/api/admin/tools/${tool}/failures`))
  const change = useChange({ said: t`Dijalankan lagi tanpa biaya.` })
  if (query.error) return <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton className="h-32" />
  if (query.data.items.length === 0) return <Nothing>{t`Tidak ada kegagalan.`}</Nothing>
  return (
    <ul className="-mx-2 max-h-80 overflow-y-auto">
      {query.data.items.map(({ id, userId, code, msg, provider, finishedAt }) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-2 py-2 last:border-0"
        >
          <span className="min-w-0 flex-[1_1_14rem]">
            <span className="block">{msg}</span>
            <span className="text-muted text-xs">
              <Code>{code}</Code> · {nameOf(provider)}
              {finishedAt && ` · ${formatDateTime(finishedAt)}`} ·{' '}
              <Link to={`/admin/users/${userId}`} className="link link-hover font-semibold">{t`pengguna`}</Link>
            </span>
          </span>
          <Button
            variant="outline"
            icon={<RotateCcw aria-hidden className="size-4" />}
            onClick={() => change.mutate({ path: `/api/admin/generations/${id}/run_again` })}
          >
            {t`Jalankan lagi`}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** What is set for a tool, what it takes, and what failed last. */
export function ToolDetail({ settings, onClose }: { settings: ToolSettingsView; onClose: () => void }) {
  const { t } = useLingui()
  const name = useToolName()(settings.tool)
  const change = useChange({ said: t`Pengaturan alat tersimpan.` })
  return (
    <Dialog open onClose={onClose} title={name}>
      <div data-wide className="grid gap-4">
        <EngineChoice settings={settings} />
        {settings.markRequired !== null && (
          <div className="flex items-center justify-between gap-4">
            <span>
              <span className="block font-medium">{t`Tanda “Diedit AI” wajib`}</span>
              <span className="text-muted text-sm">{t`Setiap hasil memakai tulisan kecil, apa pun pilihan pengguna.`}</span>
            </span>
            <Switch
              label={t`Tanda “Diedit AI” wajib`}
              checked={settings.markRequired}
              onChange={() =>
                change.mutate({
                  path: `/api/admin/tools/${settings.tool}`,
                  method: 'PATCH',
                  json: { markRequired: !settings.markRequired },
                })
              }
            />
          </div>
        )}
        <ToolLimits tool={settings.tool} />
        <h3 className="font-bold">{t`Kegagalan terakhir`}</h3>
        <FailureList tool={settings.tool} />
      </div>
    </Dialog>
  )
}
