import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatAge, formatNumber } from '#client/format.ts'
import { usePermission } from '#ui/admin/permissions.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { Panel } from '#ui/lists/panel.tsx'
import type { ErrorReports } from '../../schemas.ts'

export function ErrorList() {
  const { t } = useLingui()
  const { data } = useQuery({ ...adminQuery<ErrorReports>('error_reports'), enabled: usePermission()('control') })
  if (!data || data.items.length === 0) return null
  return (
    <div className="mt-3">
      <Panel title={t`Kesalahan aplikasi di perangkat`}>
        <ul className="grid gap-3 p-4">
          {data.items.map(({ part, version, message, place, count, networks, lastAt }) => (
            <li key={`${part}${version}${message}${place}`} className="flex gap-3">
              <span className="w-12 shrink-0 text-end font-semibold tabular-nums">{formatNumber(count)}</span>
              <span className="min-w-0 break-words">
                {message}
                <span className="block text-muted text-xs">
                  {[
                    part === 'worker' ? t`service worker` : t`halaman`,
                    t`versi ${version}`,
                    networks > 0 && t`${plural(networks, { other: '# jaringan minggu ini' })}`,
                    formatAge(lastAt),
                    place,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}
