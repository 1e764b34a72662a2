import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { ApiError } from '#client/api.ts'
import { formatDateTime } from '#client/format.ts'
import { LinkButton } from '#ui/button.tsx'
import { CheckboxField, PasswordField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { usePageTitle } from '#ui/page-header.tsx'
import { newPasswordProblems } from '../rules.ts'
import type { ResetFactors } from '../schemas.ts'
import { resetFactorsQuery, resetPassword } from './api.ts'
import { AuthForm } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { formTexts } from './form-texts.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { PasswordForm } from './profile/account-forms.tsx'

export function ResetPasswordPage() {
  const { token = '' } = useParams<{ token: string }>()
  const [, navigate] = useLocation()
  const [search] = useSearchParams()
  const { data: factors } = useQuery(resetFactorsQuery(token))
  const [removed, setRemoved] = useState<string[]>([])
  const form = useForm({
    defaultValues: { password: '', confirmPassword: '' },
    check: newPasswordProblems,
    texts: formTexts,
    send: async ({ password }) => {
      await resetPassword(token, password, removed)
      navigate('/login', { replace: true })
    },
  })
  return (
    <AuthLayout
      title="Setel ulang kata sandi"
      lead={
        search.get('verified') === '1'
          ? 'Email kamu sudah terverifikasi. Alamat ini didaftarkan lebih dari sekali, jadi demi keamanan buat kata sandimu sekarang.'
          : 'Buat kata sandi baru. Semua perangkat lain akan keluar dari akunmu.'
      }
    >
      <AuthForm form={form} action="Simpan kata sandi">
        <NewPasswordField
          label="Kata sandi baru"
          password={form.watch('password')}
          {...form.field('password', { deps: ['confirmPassword'] })}
        />
        <PasswordField label="Konfirmasi kata sandi" autoComplete="new-password" {...form.field('confirmPassword')} />
        {factors && factors.items.length > 0 && (
          <ResetFactorList factors={factors} chosen={removed} onChoose={setRemoved} />
        )}
        {form.failure instanceof ApiError && form.failure.code === 'auth.token_invalid' && (
          <div role="alert" className="grid gap-3 rounded-box bg-soft p-5 text-on-soft">
            <p className="leading-relaxed">Tautan ini tidak berlaku lagi.</p>
            <LinkButton to="/forgot-password" variant="plain">
              Minta tautan baru
            </LinkButton>
          </div>
        )}
      </AuthForm>
    </AuthLayout>
  )
}

function ResetFactorList({
  factors: { items, delayHours },
  chosen,
  onChoose,
}: {
  factors: ResetFactors
  chosen: string[]
  onChoose: (ids: string[]) => void
}) {
  return (
    <fieldset className="grid gap-1 rounded-box bg-soft px-5 py-4 text-on-soft">
      <legend className="float-left mb-2 w-full font-bold">Langkah kedua di akunmu</legend>
      <p className="mb-1 text-sm leading-relaxed">
        Langkah kedua tetap diminta saat masuk. Kalau hilang, atau bukan kamu yang memasangnya, pilih untuk dihapus{' '}
        {delayHours} jam lagi. Kami mengabarimu lewat email, dan memakainya untuk masuk membatalkan penghapusan.
      </p>
      {items.map(({ id, kind, name, createdAt }) => (
        <CheckboxField
          key={id}
          label={`Hapus ${kind === 'code' ? 'aplikasi autentikator' : `kunci sandi ${name ?? 'perangkat lain'}`}, dipasang ${formatDateTime(createdAt)}`}
          checked={chosen.includes(id)}
          onChange={({ target }) =>
            onChoose(target.checked ? [...chosen, id] : chosen.filter((already) => already !== id))
          }
        />
      ))}
    </fieldset>
  )
}

export function PasswordDuePage() {
  const { t } = useLingui()
  usePageTitle(t`Ganti kata sandi`)
  return (
    <div className="page grid justify-items-center pt-6 pb-16">
      <div className="w-full max-w-md">
        <div className="card grid gap-2 p-5 md:p-8">
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
