import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'

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
  const first = useRef<ProgressSample | null>(null)
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    const now = { progress, at: performance.now() }
    if (first.current === null || progress < first.current.progress) first.current = now
    setLeft(remainingSeconds(first.current, now))
  }, [progress])
  return left
}

/** Progress at a time in milliseconds. */
interface ProgressSample {
  progress: number
  at: number
}

const minSeconds = { watched: 4, left: 8 }

/** Seconds in stable steps; null while unknown. */
export function remainingSeconds(first: ProgressSample, now: ProgressSample): number | null {
  const done = now.progress - first.progress
  const watched = (now.at - first.at) / 1000
  if (done < 0.02 || watched < minSeconds.watched) return null
  const left = ((1 - now.progress) * watched) / done
  if (left < minSeconds.left) return null
  return left < 60 ? Math.ceil(left / 5) * 5 : Math.ceil(left / 60) * 60
}

/** Seconds without progress after which the server counts as busy. */
const slowSeconds = 20

/** Tells that the work continues; use a new `key` whenever there is progress. */
export function BusyNotice() {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 1000 * slowSeconds)
    return () => clearTimeout(timer)
  }, [])
  if (!slow) return null
  return (
    <span className="block font-medium text-base-content">
      <Trans>Server sedang ramai, tapi punyamu tetap dikerjakan.</Trans>
    </span>
  )
}
