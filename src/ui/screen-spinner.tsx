import { useLingui } from '@lingui/react/macro'
import { Petals } from './logo.tsx'

export function ScreenSpinner() {
  const { t } = useLingui()
  return (
    <div role="status" className="grid min-h-[60dvh] place-items-center">
      <Petals className="size-12 text-primary-ink *:animate-pulse" />
      <span className="sr-only">{t`Memuat…`}</span>
    </div>
  )
}
