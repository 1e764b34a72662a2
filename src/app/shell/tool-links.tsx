import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { publicToolEntries } from '#tools/tool-list.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'

export function AllToolLinks({ columns = '' }: { columns?: string }) {
  const { i18n } = useLingui()
  return (
    <ul className={`grid gap-0.5 ${columns}`}>
      {publicToolEntries.map((tool) => (
        <li key={tool.id}>
          <Link
            to={tool.route}
            className="flex min-h-14 items-center gap-3 rounded-field px-3 py-2 transition-colors hover:bg-base-200"
          >
            <ToolIcon mark={tool.icon} className="size-8 shrink-0" />
            <span className="grid min-w-0">
              <span className="font-semibold">{i18n._(tool.name)}</span>
              <span className="text-sm text-muted">{i18n._(tool.tagline)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
