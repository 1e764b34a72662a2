import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { LogOut } from 'lucide-react'
import type { ReactNode } from 'react'
import { languageAtom } from '#app/i18n.ts'
import { userAtom } from '#app/session.ts'
import { chooseLanguage, languageNames } from '#app/shell/language-switch.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { usePageTitle } from '#app/ui/page-title.ts'
import { languages } from '#contract/language.ts'
import { ThemePicker } from './theme-picker.tsx'

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card-surface grid content-start gap-5 p-6">
      <h2 className="font-bold text-xl">{title}</h2>
      {children}
    </section>
  )
}

/** /profile: who is signed in, the language and the look. */
export function ProfilePage() {
  const { t } = useLingui()
  usePageTitle(t`Akun`)
  const user = useAtomValue(userAtom)
  const language = useAtomValue(languageAtom)
  return (
    <div className="page">
      <PageHeader title={t`Akun`} />
      <div className="grid gap-6 lg:grid-cols-2">
        <Card title={t`Profil`}>
          <div className="flex items-center gap-4">
            <span
              aria-hidden="true"
              className="grid size-16 shrink-0 place-items-center rounded-full bg-soft font-extrabold text-2xl text-on-soft uppercase"
            >
              {user?.name.slice(0, 1)}
            </span>
            <div className="min-w-0">
              <p className="truncate font-bold text-lg">{user?.name}</p>
              <p className="truncate text-muted">{user?.email}</p>
            </div>
          </div>
          <LinkButton to="/logout" variant="outline" icon={<LogOut aria-hidden className="size-5" />}>
            {t`Keluar`}
          </LinkButton>
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-semibold text-sm">{t`Bahasa`}</legend>
            <div className="grid grid-cols-2 gap-1 rounded-field bg-base-200 p-1">
              {languages.map((choice) => (
                <label
                  key={choice}
                  lang={choice}
                  className="flex min-h-11 cursor-pointer items-center justify-center rounded-selector px-2 text-center font-medium text-sm has-checked:bg-base-100 has-checked:font-bold has-checked:shadow-card has-focus-visible:outline-3"
                >
                  <input
                    type="radio"
                    name="language"
                    className="sr-only"
                    checked={language === choice}
                    onChange={() => void chooseLanguage(choice)}
                  />
                  {languageNames[choice]}
                </label>
              ))}
            </div>
          </fieldset>
        </Card>
        <Card title={t`Tampilan`}>
          <ThemePicker />
        </Card>
      </div>
    </div>
  )
}
