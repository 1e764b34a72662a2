import { atom } from 'jotai'
import { useEffect } from 'react'
import { store } from './session.ts'

const holdersAtom = atom(0)
/**
 * True while the user is editing or paying: the page must not reload and no prompt may interrupt.
 */
export const busyAtom = atom((get) => get(holdersAtom) > 0)

export function holdBusy(): () => void {
  let held = true
  store.set(holdersAtom, (holders) => holders + 1)
  return () => {
    if (held) store.set(holdersAtom, (holders) => holders - 1)
    held = false
  }
}

export function useBusy(active: boolean): void {
  useEffect(() => (active ? holdBusy() : undefined), [active])
}
