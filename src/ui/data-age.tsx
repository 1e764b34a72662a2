import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { onlineAtom } from '#client/connection.ts'
import { formatAge } from '#client/format.ts'

const worthTelling = 10 * 60_000

/** `updatedAt` is the query's `dataUpdatedAt`; hidden while the data is fresh. */
export function DataAge({ updatedAt }: { updatedAt: number }) {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (updatedAt === 0 || (online && now - updatedAt < worthTelling)) return null
  const age = formatAge(updatedAt, Math.max(now, updatedAt))
  return (
    <p className="inline-flex items-center gap-1.5 text-muted text-sm">
      <Clock aria-hidden className="size-4 shrink-0" />
      <time dateTime={new Date(updatedAt).toISOString()}>{t`Diperbarui ${age}`}</time>
    </p>
  )
}
