import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { brandName } from '#contract/brand.ts'
import { type Language, languageNames, languages } from '#contract/language.ts'
import { pageDetails, pagesIn } from '#contract/pages.ts'
import { chooseLanguage } from '#features/account/app/account.ts'
import { Logo } from '#ui/logo.tsx'

/** Foot of the public pages: what there is, what is promised, and the language. */
export function Footer() {
  const { t, i18n } = useLingui()
  const language = useAtomValue(languageAtom)
  const year = new Date().getFullYear()
  return (
    <footer className="mt-20 -mb-(--bottom-room) pb-(--bottom-room) border-t border-line bg-base-100">
      <div className="page grid gap-8 py-12 md:grid-cols-[1fr_auto_auto] md:gap-16">
        <div className="grid content-start gap-3">
          <Logo />
          <p className="max-w-xs leading-relaxed text-muted">{t`Edit foto dengan AI, langsung dari HP. Bayar per hasil, tanpa langganan.`}</p>
        </div>
        <nav aria-label={t`Tautan kaki halaman`}>
          <ul className="grid">
            {pagesIn('footer').map((to) => (
              <li key={to}>
                <Link to={to} className="inline-flex min-h-11 items-center font-medium hover:underline">
                  {i18n._(pageDetails(to).name)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <fieldset className="grid content-start">
          <legend className="sr-only">{t`Bahasa`}</legend>
          {languages.map((choice: Language) => (
            <button
              key={choice}
              type="button"
              lang={choice}
              aria-pressed={choice === language}
              className="min-h-11 cursor-pointer text-left font-medium aria-pressed:text-primary-ink aria-pressed:underline"
              onClick={() => void chooseLanguage(choice)}
            >
              {languageNames[choice]}
            </button>
          ))}
        </fieldset>
        <p className="text-sm text-muted md:col-span-full">
          © {year} {brandName}
        </p>
      </div>
    </footer>
  )
}
