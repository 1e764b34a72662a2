import { useEffect, useState } from 'react'

const dissolveMs = 650

/** Each result is revealed once, and none from the history. */
const revealed = new Set<string>()

/** A preview has shown the change already. */
export const markRevealed = (id: string): void => void revealed.add(id)

export interface Reveal {
  /** The picture fades into the result. */
  dissolving: boolean
  finish: () => void
}

export function useReveal(id: string, wanted: boolean, pictureUrl: string | null): Reveal {
  const [dissolving, setDissolving] = useState(
    () => wanted && !revealed.has(id) && !matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  useEffect(() => {
    if (!pictureUrl || !dissolving) return
    revealed.add(id)
    const timer = setTimeout(() => {
      setDissolving(false)
      navigator.vibrate?.(12)
    }, dissolveMs)
    return () => clearTimeout(timer)
  }, [id, pictureUrl, dissolving])
  return { dissolving, finish: () => setDissolving(false) }
}
