import { useEffect } from 'react'
import type { AnyToolPage } from '#tools/ui/page.ts'

/** Milliseconds after which the first screen has come. */
const afterTheScreen = 500

/**
 * Has the device ready for the picture that is about to be chosen: when the studio is open, and
 * again when somebody looks for one.
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
