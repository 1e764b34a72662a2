import { atom } from 'jotai'
import { useEffect } from 'react'
import { store } from './session.ts'

type IsRestorable = () => boolean

const holdersAtom = atom<readonly { isRestorable: IsRestorable }[]>([])
/** True while the user is editing or paying: no reload, no prompt. */
export const busyAtom = atom((get) => get(holdersAtom).length > 0)

/** True if a reload would lose no work, although it would interrupt the user. */
export const canRestore = (): boolean => store.get(holdersAtom).every(({ isRestorable }) => isRestorable())

export function markBusy(isRestorable: IsRestorable = () => false): () => void {
  const holder = { isRestorable }
  store.set(holdersAtom, (holders) => [...holders, holder])
  return () => store.set(holdersAtom, (holders) => holders.filter((other) => other !== holder))
}

/** `isRestorable` keeps its identity between renders. */
export function useBusy(active: boolean, isRestorable?: IsRestorable): void {
  useEffect(() => (active ? markBusy(isRestorable) : undefined), [active, isRestorable])
}
