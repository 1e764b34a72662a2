import { Plural } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { remainingSeconds, type Sighting } from './remaining-time.ts'

/**
 * How long something will probably still take, from the progress that is shown; nothing while that
 * cannot be told.
 */
export function RemainingTime({ progress }: { progress: number }) {
  const seconds = useRemainingSeconds(progress)
  if (seconds === null) return null
  const minutes = Math.round(seconds / 60)
  return (
    <span className="block font-medium text-base-content">
      {seconds < 60 ? (
        <Plural value={seconds} one="Kira-kira # detik lagi." other="Kira-kira # detik lagi." />
      ) : (
        <Plural value={minutes} one="Kira-kira # menit lagi." other="Kira-kira # menit lagi." />
      )}
    </span>
  )
}

function useRemainingSeconds(progress: number): number | null {
  const first = useRef<Sighting | null>(null)
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const now = { progress, at: performance.now() }
    if (first.current === null || progress < first.current.progress) first.current = now
    setLeft(remainingSeconds(first.current, now))
  }, [progress])
  return left
}
