import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { siteQuery } from '#client/query.ts'
import { chooseLanguage } from '#features/account/app/account.ts'
import { brandName } from '#shared/brand.ts'
import { pageDetails, pagesIn } from '#shared/pages.ts'
import { LanguageSwitch } from '#ui/language-switch.tsx'
import { Logo } from '#ui/logo.tsx'

/** A stored answer of an older version has no complaints address. */
function OperatorFacts() {
  const { t } = useLingui()
  const { data } = useQuery(siteQuery)
  if (!data?.complaints) return null
  const { complaints, pseNumber } = data
  return (
    <>
      <p>
        {t`Pengaduan`}:{' '}
        <a href={`mailto:${complaints.email}`} className="inline-flex min-h-11 items-center hover:underline">
          {complaints.email}
        </a>
        {complaints.phone && ` · ${complaints.phone}`}
      </p>
      {pseNumber && <p>{t`Terdaftar sebagai PSE: ${pseNumber}`}</p>}
    </>
  )
}

export function Footer() {
  const { t, i18n } = useLingui()
  const year = new Date().getFullYear()
  return (
    <footer className="below-fold mt-20 -mb-(--bottom-room) pb-(--bottom-room) border-t border-line bg-base-100">
      <div className="page grid grid-cols-1 gap-8 py-12 md:grid-cols-[minmax(0,1fr)_auto_auto] md:gap-16">
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
        <div>
          <LanguageSwitch long onChoose={chooseLanguage} />
        </div>
        <div className="flex flex-wrap items-center gap-x-6 text-muted text-sm *:wrap-anywhere *:min-w-0 md:col-span-full">
          <p>
            © {year} {brandName}
          </p>
          <OperatorFacts />
        </div>
      </div>
    </footer>
  )
}
