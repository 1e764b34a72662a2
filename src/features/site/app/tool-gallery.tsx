import { useLingui } from '@lingui/react/macro'
import { ArrowRight } from 'lucide-react'
import { Link } from 'wouter'
import { comingTools, type ToolEntry } from '#app/coming-tools.tsx'
import { services } from '#app/tool-list.ts'
import { ToolIcon } from '#app/ui/tool-icon.tsx'

function BuiltTool({ tool }: { tool: ToolEntry }) {
  const { t, i18n } = useLingui()
  return (
    <li>
      <Link
        to={tool.route}
        className="group card-surface flex flex-wrap items-center gap-x-6 gap-y-4 p-6 transition-shadow hover:shadow-lift md:p-8"
      >
        <span className="grid size-20 shrink-0 place-items-center rounded-box bg-soft text-on-soft">
          <ToolIcon mark={tool.icon} className="size-12" />
        </span>
        <span className="grid min-w-48 flex-1 gap-1">
          <span className="font-bold text-2xl tracking-tight">{i18n._(tool.name)}</span>
          <span className="text-lg text-muted">{i18n._(tool.tagline)}</span>
        </span>
        <span className="inline-flex items-center gap-2 font-bold text-primary-ink">
          {t`Coba sekarang`}
          <ArrowRight aria-hidden className="size-5 transition-transform group-hover:translate-x-1" />
        </span>
      </Link>
    </li>
  )
}

/** Every tool: those that work, and those to come, said honestly. */
export function ToolGallery() {
  const { t, i18n } = useLingui()
  return (
    <>
      <ul className="grid gap-4">
        {services.map((tool) => (
          <BuiltTool key={tool.id} tool={tool} />
        ))}
      </ul>
      <h3 className="mt-10 mb-4 font-bold text-xl">{t`Segera hadir`}</h3>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 md:gap-4 lg:grid-cols-4">
        {comingTools.map((tool) => (
          <li key={tool.id}>
            <Link
              to={tool.route}
              className="flex h-full flex-col gap-3 rounded-box border border-line border-dashed p-4 transition-colors hover:bg-base-100 md:p-5"
            >
              <ToolIcon mark={tool.icon} className="size-10" />
              <span className="grid gap-0.5">
                <span className="font-semibold">{i18n._(tool.name)}</span>
                <span className="text-muted text-sm leading-snug">{i18n._(tool.tagline)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
