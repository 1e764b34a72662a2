import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import type { ToolEntry } from '#app/tool-entry.ts'
import { toolList } from '#app/tool-list.ts'
import { ToolIcon } from '#app/ui/tool-icon.tsx'

/** The tools of which there are pictures (src/dev/showcase.mjs), and whether one of what was before lies beside the result. */
const pictured: Record<string, { before: boolean }> = {
  'background-removal': { before: true },
  'object-removal': { before: true },
  enhancement: { before: true },
  cartoonizer: { before: true },
  'background-diffusion': { before: true },
  'photo-layout': { before: false },
}

/** What a tool makes, beside what it was made from; its mark where there is no picture of that. */
function ToolPicture({ tool }: { tool: ToolEntry }) {
  const picture = pictured[tool.id]
  const at = (side: string) => `/samples/tools/${tool.id}-${side}.webp`
  return (
    <span className="tool-picture block">
      {picture ? (
        <>
          <img src={at('after')} alt="" loading="lazy" width={480} height={360} />
          {picture.before && <img data-before src={at('before')} alt="" loading="lazy" width={480} height={360} />}
        </>
      ) : (
        <span className="absolute inset-0 grid place-items-center text-on-soft">
          <ToolIcon mark={tool.icon} className="size-2/5" />
        </span>
      )}
    </span>
  )
}

/** Every tool, by what it makes where there is a picture of that. */
export function ToolGallery() {
  const { i18n } = useLingui()
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-4 md:grid-cols-3 md:gap-6">
      {toolList.map((tool) => (
        <li key={tool.id}>
          <Link
            to={tool.route}
            className="card-surface flex h-full flex-col overflow-hidden transition-shadow hover:shadow-lift"
          >
            <ToolPicture tool={tool} />
            <span className="grid gap-0.5 p-3.5 md:p-5">
              <span className="font-bold leading-snug md:text-xl">{i18n._(tool.name)}</span>
              <span className="text-muted text-sm leading-snug md:text-base">{i18n._(tool.tagline)}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
