import { useLingui } from '@lingui/react/macro'
import { Lightbulb } from 'lucide-react'
import type { ToolLabels } from '#tools/ui/page.ts'

/** How to use the tool, and which pictures suit it. */
export function Guide({ steps, advice }: Pick<ToolLabels, 'steps' | 'advice'>) {
  const { t, i18n } = useLingui()
  return (
    <section aria-labelledby="guide" className="grid grid-cols-1 gap-5">
      <h2 id="guide" className="text-2xl font-bold">
        {t`Cara pakai`}
      </h2>
      <ol className="grid grid-cols-1 gap-3 md:grid-cols-3 md:gap-5">
        {steps.map((step, index) => (
          <li key={step.title.id} className="card flex-row gap-4 p-5 md:flex-col">
            <span
              aria-hidden
              className="grid size-10 shrink-0 place-items-center rounded-2xl bg-soft text-lg font-extrabold text-on-soft"
            >
              {index + 1}
            </span>
            <div className="wrap-anywhere min-w-0">
              <h3 className="font-bold">{i18n._(step.title)}</h3>
              <p className="mt-1 leading-relaxed text-muted">{i18n._(step.text)}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="flex gap-4 rounded-box bg-soft p-5 text-on-soft">
        <Lightbulb aria-hidden className="mt-0.5 size-6 shrink-0" />
        <div className="wrap-anywhere min-w-0">
          <h3 className="font-bold">{t`Supaya hasilnya bagus`}</h3>
          <p className="mt-1 leading-relaxed">{i18n._(advice)}</p>
        </div>
      </div>
    </section>
  )
}
