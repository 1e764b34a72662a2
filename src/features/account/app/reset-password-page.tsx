import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useLocation, useParams, useSearchParams } from 'wouter'
import { ApiError } from '#client/api.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { PasswordField } from '#ui/field.tsx'
import { resetFactorsQuery, resetPassword } from './api.ts'
import { AuthLayout } from './auth-layout.tsx'
import { showServerProblems, useProblem } from './form-errors.ts'
import { indonesianWords, NewPasswordField } from './new-password-field.tsx'
import { OfflineNote } from './offline-note.tsx'
import { ResetFactorList } from './reset-factor-list.tsx'
import { newPasswordRule, sameAsNewPassword } from './validation.ts'

/** /reset-password/{token}, where the link of the mail leads. */
export function ResetPasswordPage() {
  const { token = '' } = useParams<{ token: string }>()
  const [, navigate] = useLocation()
  const [search] = useSearchParams()
  const form = useForm({ defaultValues: { password: '', confirmPassword: '' } })
  const problem = useProblem(form.formState.errors)
  const password = useWatch({ control: form.control, name: 'password' })
  const [failure, setFailure] = useState<unknown>(null)
  const { data: factors } = useQuery(resetFactorsQuery(token))
  const [removed, setRemoved] = useState<string[]>([])

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      await resetPassword(token, values.password, removed)
      navigate('/login', { replace: true })
    } catch (error) {
      setFailure(error)
      showServerProblems(error, form.setError)
    }
  })

  return (
    <AuthLayout
      title="Atur ulang kata sandi"
      lead={
        search.get('verified') === '1'
          ? 'Email kamu sudah terverifikasi. Alamat ini didaftarkan lebih dari sekali, jadi demi keamanan buat kata sandimu sekarang.'
          : 'Buat kata sandi baru. Semua perangkat lain akan keluar dari akunmu.'
      }
    >
      <form noValidate className="grid grid-cols-1 gap-5" onSubmit={(event) => void submit(event)}>
        <NewPasswordField
          label="Kata sandi baru"
          password={password}
          words={indonesianWords}
          showLabel="Tampilkan kata sandi baru"
          hideLabel="Sembunyikan kata sandi baru"
          error={problem('password')}
          {...form.register('password', { validate: newPasswordRule, deps: ['confirmPassword'] })}
        />
        <PasswordField
          label="Konfirmasi kata sandi"
          autoComplete="new-password"
          showLabel="Tampilkan konfirmasi kata sandi"
          hideLabel="Sembunyikan konfirmasi kata sandi"
          error={problem('confirmPassword')}
          {...form.register('confirmPassword', { validate: sameAsNewPassword })}
        />
        {factors && factors.items.length > 0 && (
          <ResetFactorList factors={factors} chosen={removed} onChoose={setRemoved} />
        )}
        <OfflineNote error={failure} />
        {failure instanceof ApiError && failure.code === 'auth.token_invalid' && (
          <div role="alert" className="grid gap-3 rounded-box bg-soft p-5 text-on-soft">
            <p className="leading-relaxed">Tautan ini tidak berlaku lagi.</p>
            <LinkButton to="/forgot-password" variant="plain">
              Minta tautan baru
            </LinkButton>
          </div>
        )}
        <Button type="submit" size="lg" busy={form.formState.isSubmitting}>
          Simpan kata sandi
        </Button>
      </form>
    </AuthLayout>
  )
}
