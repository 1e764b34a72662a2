import { useLingui } from '@lingui/react/macro'
import { Link } from 'wouter'
import { Logo } from '#ui/logo.tsx'
import { usePageTitle } from '#ui/page-title.ts'
import { PasswordForm } from './profile/account-forms.tsx'

export function PasswordDuePage() {
  const { t } = useLingui()
  usePageTitle(t`Ganti kata sandi`)
  return (
    <div className="page grid min-h-dvh content-start justify-items-center pt-6 pb-16 md:content-center">
      <div className="w-full max-w-md">
        <Logo />
        <div className="card mt-14 grid gap-2 p-5 md:mt-8 md:p-8">
          <h1 className="font-extrabold text-2xl md:text-3xl">{t`Ganti kata sandi`}</h1>
          <p className="mb-3 text-muted leading-relaxed">
            {t`Kata sandimu masih bawaan sistem. Buat kata sandi sendiri untuk melanjutkan.`}
          </p>
          <PasswordForm onDone={() => undefined} />
        </div>
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
