import { useLingui } from '@lingui/react/macro'
import { FileText } from 'lucide-react'
import type { OutputView } from '../../types.ts'
import { isPicture } from './save-picture.ts'

/** All outputs of a result, small over the one that is shown large. */
export function OutputStrip({
  outputs,
  shown,
  onShow,
}: {
  outputs: readonly OutputView[]
  shown: number
  onShow: (index: number) => void
}) {
  const { t } = useLingui()
  return (
    <ul
      aria-label={t`Semua hasil`}
      className="absolute inset-x-0 bottom-0 z-2 flex justify-center-safe gap-2 overflow-x-auto p-2.5 [scrollbar-width:none]"
    >
      {outputs.map((output, index) => {
        const name = output.label ?? t`Hasil ${index + 1}`
        return (
          <li key={output.id} className="shrink-0">
            <button
              type="button"
              aria-label={name}
              aria-pressed={index === shown}
              onClick={() => onShow(index)}
              className="relative grid size-16 cursor-pointer grid-cols-[100%] grid-rows-[100%] place-items-center overflow-hidden rounded-xl border-2 border-base-100 bg-base-200 shadow-lift [&>img]:max-h-full [&>img]:max-w-full aria-pressed:outline-3 aria-pressed:outline-primary lg:size-18"
            >
              {isPicture(output) ? (
                <img src={output.url} alt="" loading="lazy" className="checker" />
              ) : (
                <FileText aria-hidden className="size-6 text-muted" />
              )}
              <span
                aria-hidden
                className="absolute inset-x-0 bottom-0 truncate bg-[rgb(24_18_12/0.62)] px-1 text-center text-[0.6875rem] text-white leading-4"
              >
                {name}
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
