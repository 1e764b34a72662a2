import { atom } from 'jotai'
import type { ComponentProps, ReactNode } from 'react'
import { store } from '#client/session.ts'
import { Button } from '../button.tsx'

export const dialogAtom = atom<ReactNode>(null)

/** The dialog closes with the current screen. */
export const showDialog = (dialog: ReactNode): void => store.set(dialogAtom, dialog)

export const closeDialog = (): void => store.set(dialogAtom, null)

export function DialogButton({ dialog, ...button }: ComponentProps<typeof Button> & { dialog: ReactNode }) {
  return <Button variant="outline" {...button} onClick={() => showDialog(dialog)} />
}
