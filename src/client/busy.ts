import { atom } from 'jotai'
import { useEffect } from 'react'
import { store } from './session.ts'

const holdersAtom = atom(0)
/**
 * Whether somebody is in the middle of an edit or a payment: nothing may reload the page or come in
 * the way then.
 */
export const busyAtom = atom((get) => get(holdersAtom) > 0)

/** Marks the page as busy until the returned function is called. */
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
