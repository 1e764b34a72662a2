import { useLingui } from '@lingui/react/macro'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import type { GenerationView } from '../../types.ts'
import { takesVideo } from './inputs.ts'
import type { RunChange } from './try-again.ts'

/** Failures that say nothing about the picture: the same may go well the next time. */
const passing = ['engine.crashed', 'engine.failed', 'engine.timeout', 'server.error', 'server.unavailable']

/**
 * What may help after a run that made nothing: never the same again where that cannot go better.
 */
export function FailureActions({
  page,
  generation,
  onTryAgain,
  onStartAgain,
}: {
  page: AnyToolPage
  generation: Pick<GenerationView, 'status' | 'error'>
  /** With the same picture, where it is at hand. */
  onTryAgain: ((help?: RunChange) => void) | null
  onStartAgain: () => void
}) {
  const { t, i18n } = useLingui()
  const code = generation.error?.code ?? ''
  const recovery = page.recovery?.[code]
  const video = takesVideo(page.facts)
  const sameAgain = video ? t`Coba lagi dengan video ini` : t`Coba lagi dengan foto ini`
  const again = generation.status === 'cancelled' || passing.includes(code)
  return (
    <>
      {onTryAgain && (
        <Button onClick={() => onTryAgain(recovery)}>
          {recovery ? i18n._(recovery.label) : again ? sameAgain : t`Ubah pilihannya`}
        </Button>
      )}
      <Button variant={onTryAgain ? 'ghost' : 'primary'} onClick={onStartAgain}>
        {video ? t`Pilih video lain` : t`Pilih foto lain`}
      </Button>
    </>
  )
}
