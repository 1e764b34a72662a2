import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { useCallback, useState } from 'react'
import { busyAtom } from '#client/busy.ts'
import { Button } from '#ui/button.tsx'
import { updateAtom } from './service-worker.ts'

export function UpdatePrompt() {
  const { t } = useLingui()
  const update = useAtomValue(updateAtom)
  const busy = useAtomValue(busyAtom)
  const [declined, setDeclined] = useState<typeof update>(null)
  const [taking, setTaking] = useState(false)
  const shown = update !== null && !busy && declined !== update
  // The page ends above the card, so that its last button is never under it.
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
      {shown && (
        <div ref={makeRoom} className="card shadow-lift pointer-events-auto grid w-full max-w-md gap-3 p-4">
          <p className="leading-relaxed">
            <strong className="block">{t`Versi baru sudah siap`}</strong>
            <span className="text-muted text-sm">{t`Sebentar saja, dan tidak ada yang hilang.`}</span>
          </p>
          <div className="flex justify-end gap-2">
            <Button variant="ghost" onClick={() => setDeclined(() => update)}>{t`Nanti`}</Button>
            <Button
              busy={taking}
              onClick={() => {
                setTaking(true)
                update()
              }}
            >{t`Perbarui`}</Button>
          </div>
        </div>
      )}
    </div>
  )
}
