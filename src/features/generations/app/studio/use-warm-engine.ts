import { useEffect } from 'react'
import type { AnyToolPage } from '#tools/ui/page.ts'

const warmDelayMs = 500

export function useWarmEngine({ definition, onDevice }: AnyToolPage): void {
  useEffect(() => {
    if (!onDevice) return
    const warm = (choosing: boolean) =>
      void import('./device-engine.ts')
        .then(({ warmEngine }) => warmEngine(definition, choosing))
        .catch(() => undefined)
    const look = ({ target }: Event) => target instanceof HTMLInputElement && target.type === 'file' && warm(true)
    const timer = setTimeout(warm, warmDelayMs, false)
    document.addEventListener('click', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('click', look)
    }
  }, [definition, onDevice])
}
