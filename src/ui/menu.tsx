import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'

/**
 * A button that unfolds a panel below it; Escape, a press elsewhere and a change of page fold it
 * again.
 */
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
  const place = useRef<HTMLDivElement>(null)
  const [path] = useLocation()
  const [openOn, setOpenOn] = useState<string | null>(null)
  const open = openOn === path

  useEffect(() => {
    if (!open) return
    const onPointer = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpenOn(null)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpenOn(null)
      place.current?.querySelector('button')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('focusin', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('focusin', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])

  return (
    <div ref={place} className="relative">
      <button
        type="button"
        className="btn btn-ghost gap-1.5 px-3"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpenOn(open ? null : path)}
      >
        {label}
        <ChevronDown aria-hidden className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} />
      </button>
      <div
        id={id}
        hidden={!open}
        className={`absolute top-full z-50 mt-2 rounded-box border border-line bg-base-100 p-2 shadow-lift ${className}`}
      >
        {open && children}
      </div>
    </div>
  )
}
