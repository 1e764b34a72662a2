import { useLingui } from '@lingui/react'
import { ChevronDown } from 'lucide-react'
import { frequentQuestions } from './frequent-questions.ts'

export function Questions() {
  const { i18n } = useLingui()
  return (
    <div className="grid grid-cols-1 gap-3">
      {frequentQuestions.map(({ ask, answer }) => (
        <details key={ask.id} className="group card block">
          <summary className="flex min-h-15 cursor-pointer list-none items-center gap-4 rounded-box px-5 py-4 font-semibold [&::-webkit-details-marker]:hidden">
            <span className="flex-1">{i18n._(ask)}</span>
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 text-primary-ink transition-transform group-open:rotate-180"
            />
          </summary>
          <p className="px-5 pb-5 text-muted leading-relaxed">{i18n._(answer)}</p>
        </details>
      ))}
    </div>
  )
}
