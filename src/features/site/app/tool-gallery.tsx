import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { comingTools, type ToolEntry } from '#app/coming-tools.tsx'
import { services } from '#app/tool-list.ts'
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

/** Every tool: those that work, and those to come, said honestly. */
export function ToolGallery() {
  const { t, i18n } = useLingui()
  return (
    <>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-4 md:grid-cols-3 md:gap-6">
        {services.map((tool) => (
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
      {comingTools.length > 0 && (
        <>
          <h3 className="mt-10 mb-4 font-bold text-xl">{t`Segera hadir`}</h3>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-3 md:gap-4">
            {comingTools.map((tool) => (
              <li key={tool.id}>
                <Link
                  to={tool.route}
                  className="flex h-full flex-col gap-3 rounded-box border border-line border-dashed p-4 transition-colors hover:bg-base-100 md:p-5"
                >
                  <ToolIcon mark={tool.icon} className="size-10 opacity-50 grayscale" />
                  <span className="grid gap-0.5">
                    <span className="font-medium text-muted">{i18n._(tool.name)}</span>
                    <span className="text-muted text-sm leading-snug">{i18n._(tool.tagline)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
