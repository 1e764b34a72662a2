import { atom } from 'jotai'
import { store } from '#client/session.ts'

/** Dialogs that are open, the last one over the others. */
export const openDialogsAtom = atom<readonly HTMLElement[]>([])

/** Notes that a dialog is open; what it returns, that it no longer is. */
export function noteOpenDialog(dialog: HTMLElement): () => void {
  store.set(openDialogsAtom, (open) => [...open, dialog])
  return () => store.set(openDialogsAtom, (open) => open.filter((other) => other !== dialog))
}
