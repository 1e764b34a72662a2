import { useEffect } from 'react'
import type { AnyToolPage } from '#tools/ui/page.ts'

/** Milliseconds after which the first screen is complete. */
const afterTheScreen = 500

/**
 * Prepares the device engine for the next picture: when the studio opens, and when the user looks
 * for a picture.
 */
export function useReadyDevice({ definition, onDevice }: AnyToolPage): void {
  useEffect(() => {
    if (!onDevice) return
    const warm = (choosing: boolean) =>
      void import('./device-engine.ts')
        .then(({ warmEngine }) => warmEngine(definition, choosing))
        .catch(() => undefined)
    const look = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'file' && warm(true)
    const timer = setTimeout(warm, afterTheScreen, false)
    document.addEventListener('click', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('click', look)
    }
  }, [definition, onDevice])
}
