import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useEffect, useState } from 'react'
import { serverNow } from '#client/device/server-time.ts'
import { useAction } from '#ui/actions.ts'
import { Button } from '#ui/button.tsx'
import { pushStateQuery, turnOn } from './subscription.ts'

/** Milliseconds; shorter waits get no offer. */
const longMs = 6000

function useTakesLong(since: string | undefined): boolean {
  const left = since === undefined ? 0 : Math.max(0, Date.parse(since) + longMs - serverNow())
  const [long, setLong] = useState(left === 0)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), left)
    return () => clearTimeout(timer)
  }, [left])
  return long
}

/**
 * Hidden if this device has push messages on or does not support them. Work that began at `since`
 * gets a chance to finish first.
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
