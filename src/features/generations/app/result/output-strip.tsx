import { useLingui } from '@lingui/react/macro'
import { FileText } from 'lucide-react'
import type { OutputView } from '../../types.ts'
import { isPicture } from './save-picture.ts'

/** All outputs of a result; the chosen one is shown large. */
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
      className="output-strip -mx-(--page-side) flex gap-2.5 overflow-x-auto px-(--page-side) py-1 [scrollbar-width:none]"
    >
      {outputs.map((output, index) => {
        const name = output.label ?? t`Hasil ${index + 1}`
        return (
          <li key={output.id} className="shrink-0">
            <button
              type="button"
              aria-pressed={index === shown}
              onClick={() => onShow(index)}
              className="group grid w-20 cursor-pointer gap-1 rounded-2xl text-xs"
            >
              <span className="grid grid-cols-[100%] grid-rows-[100%] place-items-center bg-base-200 *:max-h-full *:max-w-full aspect-square overflow-hidden rounded-2xl group-aria-pressed:outline-2 group-aria-pressed:outline-primary">
                {isPicture(output) ? (
                  <img src={output.url} alt="" loading="lazy" className="checker" />
                ) : (
                  <FileText aria-hidden className="size-7 text-muted" />
                )}
              </span>
              <span className="truncate">{name}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
