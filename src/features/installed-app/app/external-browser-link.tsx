import { useLingui } from '@lingui/react/macro'
import { useSearch } from 'wouter'
import { chosenLanguage } from '#client/i18n.ts'
import { type Appearance, buttonClass } from '#ui/button.tsx'
import { externalBrowserNames, externalBrowserUrl, type InAppSystem } from './install.ts'

/** Opens the same page with its options, or a result. A merely chosen photo is lost. */
export function ExternalBrowserLink({
  system,
  result = null,
  variant,
}: { system: InAppSystem; result?: string | null } & Pick<Appearance, 'variant'>) {
  const { t } = useLingui()
  const search = useSearch()
  const page = new URL(result ? `/history?id=${result}` : `?${search}`, window.location.href)
  if (chosenLanguage() === 'en') page.searchParams.set('lang', 'en')
  const browser = externalBrowserNames[system]
  return (
    <a href={externalBrowserUrl(system, page)} className={buttonClass({ variant, size: 'lg' })}>
      {t`Buka di ${browser}`}
    </a>
  )
}
