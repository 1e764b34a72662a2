import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { atom, useAtomValue } from 'jotai'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { createPortal } from 'react-dom'
import { store } from '#client/session.ts'

type SnackbarVariant = 'primary' | 'info' | 'error' | 'success'

interface Snack {
  id: number
  variant: SnackbarVariant
  text: string
  leaving: boolean
}

const snackbarMs = 3000
const snackbarFadeMs = 500

const snackAtom = atom<Snack | null>(null)
let count = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Clears the message after its fade of 500 ms. */
function closeSnackbar(): void {
  clearTimeout(timer)
  store.set(snackAtom, (snack) => snack && { ...snack, leaving: true })
  timer = setTimeout(() => store.set(snackAtom, null), snackbarFadeMs)
}

/** Shows one message for 3000 ms; a newer one replaces it. */
export function showSnackbar(variant: SnackbarVariant, text: string): void {
  clearTimeout(timer)
  count += 1
  store.set(snackAtom, { id: count, variant, text, leaving: false })
  timer = setTimeout(closeSnackbar, snackbarMs)
}

const icons = { primary: Info, info: Info, error: CircleAlert, success: CircleCheck }
const colours = {
  primary: 'border-primary bg-primary text-primary-content',
  info: 'alert-info',
  error: 'alert-error',
  success: 'alert-success',
}

/** Also rendered inside an open dialog, since only the top layer is visible and readable then. */
export function Snackbar() {
  const { t } = useLingui()
  const snack = useAtomValue(snackAtom)
  const dialog = useAtomValue(openDialogsAtom).at(-1)
  const Icon = snack ? icons[snack.variant] : Info
  // Clear of the title and, on phones, of the controls at the bottom.
  const message = (
    <div
      className="toast toast-center top-[calc(env(safe-area-inset-top)+0.5rem)] bottom-auto z-60 w-full max-w-md px-3"
      aria-live={snack?.variant === 'error' ? 'assertive' : 'polite'}
      role="status"
    >
      {snack && (
        <div
          key={snack.id}
          className={`alert ${colours[snack.variant]} gap-2.5 rounded-field px-3.5 py-0 pr-0 font-medium shadow-lift transition duration-500 data-leaving:-translate-y-2 data-leaving:opacity-0`}
          data-leaving={snack.leaving || undefined}
        >
          <Icon aria-hidden className="size-[min(1.25rem,24px)]" />
          <p className="min-w-0 wrap-anywhere py-3">{snack.text}</p>
          <button
            type="button"
            className="grid size-[min(2.75rem,48px)] cursor-pointer place-items-center rounded-field focus-visible:-outline-offset-5 focus-visible:outline-current"
            aria-label={t`Tutup pesan`}
            onClick={closeSnackbar}
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
      )}
    </div>
  )
  return dialog ? createPortal(message, dialog) : message
}

/** The last one is on top. */
const openDialogsAtom = atom<readonly HTMLElement[]>([])

/** Returns a function that unregisters it. */
export function registerDialog(dialog: HTMLElement): () => void {
  store.set(openDialogsAtom, (open) => [...open, dialog])
  return () => store.set(openDialogsAtom, (open) => open.filter((other) => other !== dialog))
}

export const notifyOffline = (): void => showSnackbar('info', t`Menunggu koneksi`)
