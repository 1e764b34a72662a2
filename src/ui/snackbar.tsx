import { useLingui } from '@lingui/react/macro'
import { atom, useAtomValue } from 'jotai'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { store } from '#client/session.ts'

export type SnackbarVariant = 'primary' | 'info' | 'error' | 'success'

interface Snack {
  id: number
  variant: SnackbarVariant
  text: string
  leaving: boolean
}

export const snackbarMs = 3000
export const snackbarFadeMs = 500

const snackAtom = atom<Snack | null>(null)
let count = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Fades the message out; it is cleared 500 ms later. */
export function closeSnackbar(): void {
  clearTimeout(timer)
  store.set(snackAtom, (snack) => snack && { ...snack, leaving: true })
  timer = setTimeout(() => store.set(snackAtom, null), snackbarFadeMs)
}

/** Shows one message for 3000 ms; a newer one takes its place. */
export function showSnackbar(variant: SnackbarVariant, text: string): void {
  clearTimeout(timer)
  count += 1
  store.set(snackAtom, { id: count, variant, text, leaving: false })
  timer = setTimeout(closeSnackbar, snackbarMs)
}

const icons = { primary: Info, info: Info, error: CircleAlert, success: CircleCheck }

/** The place where messages appear; once in the shell. */
export function Snackbar() {
  const { t } = useLingui()
  const snack = useAtomValue(snackAtom)
  const Icon = snack ? icons[snack.variant] : Info
  return (
    <div className="snackbar-place" aria-live={snack?.variant === 'error' ? 'assertive' : 'polite'} role="status">
      {snack && (
        <div key={snack.id} className="snackbar" data-variant={snack.variant} data-leaving={snack.leaving || undefined}>
          <Icon aria-hidden className="size-5 shrink-0" />
          <p className="min-w-0 flex-1 py-3 text-sm font-medium">{snack.text}</p>
          <button type="button" className="snackbar-close" aria-label={t`Tutup pesan`} onClick={closeSnackbar}>
            <X aria-hidden className="size-4" />
          </button>
        </div>
      )}
    </div>
  )
}
