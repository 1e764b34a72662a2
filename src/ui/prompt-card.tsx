import { type ReactNode, useCallback } from 'react'

export function PromptCard({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  // Adds space below the page, so that the prompt never covers its last button.
  const makeRoom = useCallback((card: HTMLElement | null) => {
    if (!card) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--prompt-height', `${card.offsetHeight + 12}px`))
    observer.observe(card)
    return () => {
      observer.disconnect()
      style.removeProperty('--prompt-height')
    }
  }, [])
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-[calc(var(--dock-height)+env(safe-area-inset-bottom)+0.75rem)] z-50 flex justify-center md:justify-start"
    >
      {children && (
        <div ref={makeRoom} className="card pointer-events-auto grid w-full max-w-md gap-3 p-4 shadow-lift">
          {children}
          <div className="flex justify-end gap-2">{actions}</div>
        </div>
      )}
    </div>
  )
}
