import { atom } from 'jotai'
import { store } from '#client/session.ts'

/** The last one is on top. */
export const openDialogsAtom = atom<readonly HTMLElement[]>([])

/** Returns a function that unregisters it. */
export function registerDialog(dialog: HTMLElement): () => void {
  store.set(openDialogsAtom, (open) => [...open, dialog])
  return () => store.set(openDialogsAtom, (open) => open.filter((other) => other !== dialog))
}
