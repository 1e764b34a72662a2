import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { useAction } from '#ui/use-action.ts'
import { pushStateQuery, turnOn } from './subscription.ts'

/** What ends sooner is waited for. */
const longMs = 6000

/** Whether something that began then (ISO 8601) takes long by now. */
function useTakesLong(since: string | undefined): boolean {
  const left = since === undefined ? 0 : Math.max(0, Date.parse(since) + longMs - Date.now())
  const [long, setLong] = useState(left === 0)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), left)
    return () => clearTimeout(timer)
  }, [left])
  return long
}

/**
 * "Tell me …", where something takes a while; nothing where this device is told, or cannot be.
 * What began at `since` gets its time to end first.
 */
export function PushOffer({ since, children }: { since?: string; children: string }) {
  const { t } = useLingui()
  const long = useTakesLong(since)
  const { data: state } = useQuery(pushStateQuery)
  const ask = useAction(turnOn)
  if (state === 'on' && ask.isSuccess) {
    return (
      <p role="status" className="flex items-center justify-center gap-2 text-muted text-sm">
        <BellRing aria-hidden className="size-4 shrink-0" />
        {t`Kami kabari di perangkat ini.`}
      </p>
    )
  }
  if (state !== 'off' || !long) return null
  return (
    <Button variant="soft" icon={Bell} busy={ask.isPending} onClick={() => ask.mutate()}>
      {children}
    </Button>
  )
}
