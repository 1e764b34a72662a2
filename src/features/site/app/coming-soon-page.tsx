import { useLingui } from '@lingui/react/macro'
import { useLocation } from 'wouter'
import { builtTools, toolList } from '#app/tool-list.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { usePageTitle } from '#app/ui/page-title.ts'
import { ToolIcon } from '#app/ui/tool-icon.tsx'

/** A screen that is not there yet says so, and offers what is. */
export function ComingSoonPage() {
  const { t, i18n } = useLingui()
  const [path] = useLocation()
  const tool = toolList.find((entry) => entry.route === path)
  const name = tool ? i18n._(tool.name) : t`Segera hadir`
  const offer = builtTools[0]
  usePageTitle(name)
  return (
    <div className="page grid min-h-[70dvh] content-center justify-items-center gap-4 py-10 text-center">
      {tool && (
        <span className="grid size-28 place-items-center rounded-[2rem] bg-soft text-on-soft">
          <ToolIcon mark={tool.icon} className="size-16" />
        </span>
      )}
      {tool && (
        <p className="mt-2 rounded-full bg-soft px-4 py-1 font-semibold text-on-soft text-sm">{t`Segera hadir`}</p>
      )}
      <h1 className="font-extrabold text-3xl md:text-4xl">{name}</h1>
      <p className="max-w-md text-lg text-muted leading-relaxed">
        {tool ? i18n._(tool.tagline) : null}
        {tool ? '. ' : null}
        {t`Kami masih menyiapkannya supaya hasilnya benar-benar bagus. Tidak ada kredit yang dipakai di sini.`}
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <LinkButton to="/" variant="outline" size="lg">
          {t`Ke beranda`}
        </LinkButton>
        {offer && (
          <LinkButton to={offer.route} size="lg">
            {i18n._(offer.name)}
          </LinkButton>
        )}
      </div>
    </div>
  )
}
