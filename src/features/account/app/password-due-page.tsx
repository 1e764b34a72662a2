import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { usePageTitle } from '#app/ui/page-title.ts'
import { PasswordForm } from './profile/password-form.tsx'

/** Stands before every other screen while a password that somebody else made has to be changed. */
export function PasswordDuePage() {
  const { t } = useLingui()
  usePageTitle(t`Ganti kata sandi`)
  return (
    <div className="page grid justify-items-center pt-4 pb-16">
      <div className="w-full max-w-md">
        <h1 className="font-extrabold text-3xl">{t`Ganti kata sandi`}</h1>
        <p className="mt-2 mb-6 text-muted leading-relaxed">
          {t`Kata sandimu dibuatkan otomatis dan sempat tercetak. Buat yang baru untuk melanjutkan.`}
        </p>
        <PasswordForm onDone={() => undefined} />
        <Link
          to="/logout"
          className="mt-4 inline-flex min-h-11 w-full items-center justify-center font-semibold text-primary-ink"
        >
          {t`Keluar`}
        </Link>
      </div>
    </div>
  )
}
