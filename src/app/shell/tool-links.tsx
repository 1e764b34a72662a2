import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { comingTools, type ToolEntry } from '../coming-tools.tsx'
import { services } from '../tool-list.ts'
import { ToolIcon } from '../ui/tool-icon.tsx'

function ToolLinks({
  tools,
  className,
  dimmed = false,
}: {
  tools: readonly ToolEntry[]
  className: string
  /** They cannot be used yet. */
  dimmed?: boolean
}) {
  const { i18n } = useLingui()
  return (
    <ul className={`grid gap-0.5 ${className}`}>
      {tools.map((tool) => (
        <li key={tool.id}>
          <Link
            to={tool.route}
            className="flex min-h-14 items-center gap-3 rounded-field px-3 py-2 transition-colors hover:bg-base-200"
          >
            <ToolIcon mark={tool.icon} className={`size-8 shrink-0 ${dimmed ? 'opacity-50 grayscale' : ''}`} />
            <span className="grid min-w-0">
              <span className={dimmed ? 'font-medium text-muted' : 'font-semibold'}>{i18n._(tool.name)}</span>
              <span className="text-sm text-muted">{i18n._(tool.tagline)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Links to every tool with its mark, name and tagline: those that work, then those to come. */
export function AllToolLinks({ columns }: { columns: string }) {
  const { t } = useLingui()
  return (
    <>
      <ToolLinks tools={services} className={columns} />
      {comingTools.length > 0 && (
        <>
          <p className="mt-4 mb-1 px-3 text-sm font-semibold text-muted">{t`Segera hadir`}</p>
          <ToolLinks tools={comingTools} className={columns} dimmed />
        </>
      )}
    </>
  )
}
