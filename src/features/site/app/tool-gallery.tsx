import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { toolList } from '#tools/tool-list.ts'
import { ToolIcon } from '#tools/ui/tool-icon.tsx'
import { ToolPicture } from '#tools/ui/tool-picture.tsx'
import { inLastRow } from './last-row.ts'

/** Every tool, by what it makes where there is a picture of that. */
export function ToolGallery() {
  const { i18n } = useLingui()
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-4 md:grid-cols-3 md:gap-6">
      {toolList.map((tool) => {
        const ownRow = inLastRow(tool)
        return (
          <li key={tool.id} style={ownRow}>
            <Link
              to={tool.route}
              className={`card h-full overflow-hidden transition-shadow hover:shadow-lift ${ownRow ? 'flex-row items-center pl-5' : ''}`}
            >
              {ownRow ? <ToolIcon mark={tool.icon} className="size-9" /> : <ToolPicture tool={tool} lazy />}
              <span className="grid gap-0.5 p-3.5 md:p-5">
                <span className="font-bold leading-snug md:text-xl">{i18n._(tool.name)}</span>
                <span className="text-muted text-sm leading-snug md:text-base">{i18n._(tool.tagline)}</span>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
