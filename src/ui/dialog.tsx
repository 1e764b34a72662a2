import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './button.tsx'
import { handOverFocus } from './restore-focus.ts'
import { registerDialog } from './snackbar.tsx'

const layouts = {
  middle: { modal: '', box: 'max-w-md max-h-[min(85dvh,44rem)]' },
  wide: { modal: '', box: 'max-w-2xl max-h-[min(85dvh,44rem)]' },
  top: { modal: '', box: 'mt-[12dvh] max-w-xl self-start overflow-hidden p-0' },
  bottom: {
    modal: 'max-md:modal-bottom',
    box: 'md:max-w-md max-h-[min(85dvh,44rem)] max-md:pb-[calc(1.25rem+env(safe-area-inset-bottom))]',
  },
  start: { modal: 'modal-start', box: 'h-dvh w-[min(18rem,85vw)] p-0' },
} as const

export interface DialogProps {
  open: boolean
  /** Called for the close button, Escape and a press outside. */
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** A card, a bottom sheet on phones, or a drawer at a side. */
  layout?: keyof typeof layouts
  /** Keeps the title for screen readers only. */
  titleHidden?: boolean
}

/** Content that replaces other, such as a key that is shown once, begins at its top. */
function watchContent(box: HTMLElement | null) {
  if (!box) return
  const observer = new MutationObserver((records) => {
    const isChanged = (list: 'addedNodes' | 'removedNodes') => records.some((record) => record[list].length > 0)
    if (isChanged('addedNodes') && isChanged('removedNodes')) box.scrollTo(0, 0)
  })
  observer.observe(box, { childList: true })
  return () => observer.disconnect()
}

export function Dialog({ open, onClose, title, children, layout = 'middle', titleHidden = false }: DialogProps) {
  const { t } = useLingui()
  const titleId = useId()
  const element = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const dialog = element.current
    if (!dialog || !open) return
    const opener = document.activeElement
    dialog.showModal()
    const noteClosed = registerDialog(dialog)
    return () => {
      noteClosed()
      dialog.close()
      handOverFocus(opener)
    }
  }, [open])

  // Runs while the element is still in the page; afterwards the browser restores no focus.
  useLayoutEffect(() => {
    const dialog = element.current
    return () => dialog?.close()
  }, [])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the browser handles it
    <dialog
      ref={element}
      className={`modal ${layouts[layout].modal}`}
      aria-labelledby={titleId}
      // The close event of an earlier closing may arrive after it was opened again.
      onClose={() => open && !element.current?.open && onClose()}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      {open && (
        <div ref={watchContent} className={`modal-box scroll-pt-24 ${layouts[layout].box}`}>
          {/* Stays in view, with the way out, while the content scrolls. */}
          <div
            className={
              titleHidden
                ? 'sr-only'
                : 'sticky -top-6 z-10 -mx-6 -mt-6 mb-2 flex items-start gap-4 bg-base-100 px-6 pt-6 pb-2'
            }
          >
            <h2 id={titleId} className="flex-1 text-[min(1.25rem,8vw)] leading-snug font-bold">
              {title}
            </h2>
            <IconButton icon={X} label={t`Tutup`} className="-mt-2 -mr-2" onClick={onClose} />
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}

export function BottomSheet(props: Omit<DialogProps, 'layout'>) {
  return <Dialog {...props} layout="bottom" />
}
