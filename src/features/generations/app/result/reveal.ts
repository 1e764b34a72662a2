import { useEffect, useState } from 'react'
import { settledSplit } from './settled-split.ts'

/** Milliseconds of the dissolve, and of the line's way to its place. */
const dissolveMs = 1050
const settleMs = 750

/** Results that were revealed already: each only once, and none that comes from the history. */
const revealed = new Set<string>()

export interface Reveal {
  /** `dissolve`: the picture fades over the result; `settle`: the line goes to its place; `done`. */
  phase: 'dissolve' | 'settle' | 'done'
  /** Where the line comes to rest, in percent; null until that is known. */
  split: number | null
  /** A touch ends it. */
  finish: () => void
}

/** The reveal of a result that was just made; `pictureUrl` is the result's, once it can be seen. */
export function useReveal(id: string, wanted: boolean, pictureUrl: string | null): Reveal {
  const [phase, setPhase] = useState<Reveal['phase']>(() =>
    wanted && !revealed.has(id) && !matchMedia('(prefers-reduced-motion: reduce)').matches ? 'dissolve' : 'done',
  )
  const [split, setSplit] = useState<number | null>(null)
  useEffect(() => {
    if (!pictureUrl || phase !== 'dissolve') return
    revealed.add(id)
    const timer = setTimeout(() => {
      setPhase('settle')
      navigator.vibrate?.(12)
    }, dissolveMs)
    void settledSplit(pictureUrl).then(setSplit)
    return () => clearTimeout(timer)
  }, [id, pictureUrl, phase])
  useEffect(() => {
    if (phase !== 'settle') return
    const timer = setTimeout(() => setPhase('done'), settleMs)
    return () => clearTimeout(timer)
  }, [phase])
  return { phase, split, finish: () => setPhase('done') }
}
