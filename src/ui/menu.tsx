import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'

/** Closed by Escape, a press elsewhere or a choice inside. */
export function Menu({
  label,
  className = '',
  children,
}: {
  label: ReactNode
  className?: string
  children: ReactNode
}) {
  const id = useId()
  const anchor = `--${id.replace(/\W/g, '')}`
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost gap-1.5 px-3"
        popoverTarget={id}
        style={{ anchorName: anchor } as React.CSSProperties}
      >
        {label}
        <ChevronDown aria-hidden className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: links and buttons inside take the keys */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        // Scrolls below the header; the page behind stays where it is.
        className={`dropdown mt-2 max-h-[calc(100dvh-5.5rem)] overflow-y-auto overscroll-contain rounded-box border border-line bg-base-100 p-2 shadow-lift ${className}`}
        style={{ positionAnchor: anchor } as React.CSSProperties}
        onToggle={({ newState }) => setOpen(newState === 'open')}
        onClick={(event) => {
          if ((event.target as HTMLElement).closest('a, button')) panel.current?.hidePopover()
        }}
      >
        {open && children}
      </div>
    </>
  )
}
