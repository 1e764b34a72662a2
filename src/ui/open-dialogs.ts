import { atom } from 'jotai'
import { store } from '#client/session.ts'

/** Open dialogs; the last one is on top. */
export const openDialogsAtom = atom<readonly HTMLElement[]>([])

/** Registers an open dialog; returns a function that unregisters it. */
export function noteOpenDialog(dialog: HTMLElement): () => void {
  store.set(openDialogsAtom, (open) => [...open, dialog])
  return () => store.set(openDialogsAtom, (open) => open.filter((other) => other !== dialog))
}
