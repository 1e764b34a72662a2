import { useEffect, useState } from 'react'
import { settledSplit } from './settled-split.ts'

/** Milliseconds of the dissolve, and of the line's way to its place. */
const dissolveMs = 1050
const settleMs = 750

/** Results that were revealed already: each only once, and none that comes from the history. */
const revealed = new Set<string>()

/**
 * Results of which a preview was shown: their background is gone already, so only the line moves.
 */
const previewed = new Set<string>()
export const notePreviewed = (id: string): void => void previewed.add(id)

export interface Reveal {
  /**
   * `dissolve`: the picture fades over the result; `settle`: the line goes to its place; `done`.
   */
  phase: 'dissolve' | 'settle' | 'done'
  /** Where the line comes to rest, in percent; null until that is known. */
  split: number | null
  /** A touch ends it. */
  finish: () => void
}

/** The reveal of a result that was just made; `pictureUrl` is the result's, once it can be seen. */
export function useReveal(id: string, wanted: boolean, pictureUrl: string | null): Reveal {
  const [phase, setPhase] = useState<Reveal['phase']>(() =>
    !wanted || revealed.has(id) || matchMedia('(prefers-reduced-motion: reduce)').matches
      ? 'done'
      : previewed.has(id)
        ? 'settle'
        : 'dissolve',
  )
  const [split, setSplit] = useState<number | null>(null)
  const moving = phase !== 'done'
  useEffect(() => {
    if (!pictureUrl || !moving) return
    revealed.add(id)
    void settledSplit(pictureUrl).then(setSplit)
  }, [id, pictureUrl, moving])
  useEffect(() => {
    if (!pictureUrl || phase === 'done') return
    const next = () => {
      setPhase(phase === 'dissolve' ? 'settle' : 'done')
      if (phase === 'dissolve') navigator.vibrate?.(12)
    }
    const timer = setTimeout(next, phase === 'dissolve' ? dissolveMs : settleMs)
    return () => clearTimeout(timer)
  }, [pictureUrl, phase])
  return { phase, split, finish: () => setPhase('done') }
}
