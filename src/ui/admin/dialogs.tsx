import { atom } from 'jotai'
import type { ComponentProps, ReactNode } from 'react'
import { store } from '#client/session.ts'
import { Button } from '../button.tsx'

/** What lies over the screen that is open. */
export const dialogAtom = atom<ReactNode>(null)

/** Shows a dialog, of what was on the screen then; it goes with the screen. */
export const showDialog = (dialog: ReactNode): void => store.set(dialogAtom, dialog)

export const closeDialog = (): void => store.set(dialogAtom, null)

export function DialogButton({ dialog, ...button }: ComponentProps<typeof Button> & { dialog: ReactNode }) {
  return <Button variant="outline" {...button} onClick={() => showDialog(dialog)} />
}
