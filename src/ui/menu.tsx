import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useSyncExternalStore } from 'react'

const whenToggled = (changed: () => void) => {
  document.addEventListener('toggle', changed, true)
  return () => document.removeEventListener('toggle', changed, true)
}

/** `atStart` is the answer of a prerendered page. */
function useIsOpen(id: string, atStart: boolean): boolean {
  const isOpen = () => document.getElementById(id)?.matches(':popover-open') ?? false
  return useSyncExternalStore(whenToggled, isOpen, () => atStart)
}

/** Opens the `MenuPanel` of that id. */
export function MenuButton({
  opens,
  className = '',
  children,
}: {
  opens: string
  className?: string
  children: ReactNode
}) {
  const open = useIsOpen(opens, false)
  return (
    <button type="button" className={`btn btn-ghost gap-1.5 px-3 ${className}`} popoverTarget={opens}>
      {children}
      <ChevronDown aria-hidden className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} />
    </button>
  )
}

/**
 * Closed by Escape, a press elsewhere or a choice inside. A prerendered page has the content, so
 * that the panel opens before the app's code has loaded; afterwards only an open one has it.
 */
export function MenuPanel({ id, className = '', children, ...rest }: ComponentProps<'div'> & { id: string }) {
  const open = useIsOpen(id, true)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: links and buttons inside take the keys
    <div
      id={id}
      popover="auto"
      // Scrolls below the header; the page behind stays where it is.
      className={`dropdown mt-2 max-h-[calc(100dvh-min(5.5rem,96px))] overflow-y-auto overscroll-contain rounded-box border border-line bg-base-100 p-2 shadow-lift ${className}`}
      onClick={({ target, currentTarget }) => {
        if ((target as HTMLElement).closest('a, button')) currentTarget.hidePopover()
      }}
      {...rest}
    >
      {open && children}
    </div>
  )
}
