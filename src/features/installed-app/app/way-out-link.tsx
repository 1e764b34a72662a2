import { useLingui } from '@lingui/react/macro'
import { useSearch } from 'wouter'
import { chosenLanguage } from '#client/i18n.ts'
import { addressOutside, outsideBrowsers } from './in-app.ts'
import type { InAppSystem } from './install.ts'

/**
 * Out of an app's own browser: to the same page with the options in its address, or to a result. A
 * photo that was only chosen cannot come along.
 */
export function WayOutLink({ system, result = null }: { system: InAppSystem; result?: string | null }) {
  const { t } = useLingui()
  const search = useSearch()
  const page = new URL(result ? `/history?id=${result}` : `?${search}`, window.location.href)
  if (chosenLanguage() === 'en') page.searchParams.set('lang', 'en')
  const browser = outsideBrowsers[system]
  return (
    <a href={addressOutside(system, page)} className="btn btn-primary btn-lg">
      {t`Buka di ${browser}`}
    </a>
  )
}
