import { useLingui } from '@lingui/react/macro'
import { History } from 'lucide-react'
import { mainInput, maxFiles, takesVideo } from './inputs.ts'
import { phaseOf } from './studio-reducer.ts'
import type { StudioProps } from './use-studio.ts'

const choice = 'btn btn-ghost min-h-11 px-2 text-sm underline underline-offset-4'

/** Offers what was here before other pictures took its place. */
export function ReplacedNotice({ page: { definition }, state, dispatch }: StudioProps) {
  const { t } = useLingui()
  if (!state.replaced) return null
  const several = phaseOf(state) === 'ready' && maxFiles(definition, mainInput(definition)) > 1
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-1 rounded-field bg-soft pl-3.5 text-on-soft text-sm"
    >
      <History aria-hidden className="size-4 shrink-0" />
      <span className="flex-1 py-1.5 pl-1.5">
        {takesVideo(definition) ? t`Video tadi disimpan` : t`Foto tadi disimpan`}
      </span>
      {several && (
        <button type="button" className={choice} onClick={() => dispatch({ type: 'combined' })}>
          {t`Gabungkan`}
        </button>
      )}
      <button type="button" className={choice} onClick={() => dispatch({ type: 'restored' })}>
        {t`Pakai lagi`}
      </button>
    </div>
  )
}
