import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'wouter'
import { nameMaxLength } from '#contract/person-name.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { CheckboxField, EmailField, PasswordField, TextField } from '#ui/field.tsx'
import { type RegisterForm as Form, register } from './api.ts'
import { authStatusAtom } from './auth-status.ts'
import { showServerProblems, useProblem } from './form-errors.ts'
import { finishRegistration, keptRegistration, useKeepRegistration } from './kept-registration.ts'
import { indonesianWords, NewPasswordField } from './new-password-field.tsx'
import { OfflineNote } from './offline-note.tsx'
import { ProviderButtons, useProvidersFirst } from './provider-buttons.tsx'
import { keepTarget, targetOf } from './target.ts'
import { emailRule, nameRule, newPasswordRule, sameAsPassword, termsRule } from './validation.ts'
import { VerifyNotice } from './verify-notice.tsx'

export function RegisterForm({ state }: { state: unknown }) {
  const form = useForm<Form>({ defaultValues: keptRegistration() })
  useKeepRegistration(form)
  const problem = useProblem(form.formState.errors)
  const [name, email, password] = useWatch({ control: form.control, name: ['name', 'email', 'password'] })
  const { status, tempEmail } = useAtomValue(authStatusAtom)
  const [failure, setFailure] = useState<unknown>(null)
  const providersFirst = useProvidersFirst()

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      await register(values)
      finishRegistration(values.email.trim())
      keepTarget(targetOf(state))
    } catch (error) {
      setFailure(error)
      showServerProblems(error, form.setError)
    }
  })

  if (status === 'verify-email') {
    return (
      <div className="grid gap-5">
        <VerifyNotice email={tempEmail} title="Tinggal satu langkah" />
        <LinkButton to="/login" state={state} size="lg" variant="outline">
          Ke halaman masuk
        </LinkButton>
      </div>
    )
  }
  return (
    <form noValidate className="grid grid-cols-1 gap-5" onSubmit={(event) => void submit(event)}>
      {providersFirst && <ProviderButtons place="above" verb="Daftar" state={state} />}
      <TextField
        label="Nama"
        autoComplete="name"
        maxLength={nameMaxLength}
        error={problem('name')}
        {...form.register('name', { validate: nameRule })}
      />
      <EmailField label="Email" error={problem('email')} {...form.register('email', { validate: emailRule })} />
      <NewPasswordField
        label="Kata sandi"
        password={password}
        personal={[name, email]}
        words={indonesianWords}
        showLabel="Tampilkan kata sandi"
        hideLabel="Sembunyikan kata sandi"
        error={problem('password')}
        {...form.register('password', { validate: newPasswordRule, deps: ['confirmPassword'] })}
      />
      <PasswordField
        label="Konfirmasi kata sandi"
        autoComplete="new-password"
        showLabel="Tampilkan konfirmasi kata sandi"
        hideLabel="Sembunyikan konfirmasi kata sandi"
        error={problem('confirmPassword')}
        {...form.register('confirmPassword', { validate: sameAsPassword })}
      />
      <CheckboxField
        label={
          <>
            Saya menyetujui{' '}
            <Link to="/terms-of-service" className="font-semibold text-primary-ink underline">
              Syarat Layanan
            </Link>{' '}
            dan{' '}
            <Link to="/privacy-policy" className="font-semibold text-primary-ink underline">
              Kebijakan Privasi
            </Link>
          </>
        }
        error={problem('agreeToTerms')}
        {...form.register('agreeToTerms', { validate: termsRule })}
      />
      <OfflineNote error={failure} />
      <Button type="submit" size="lg" busy={form.formState.isSubmitting}>
        Daftar
      </Button>
      {!providersFirst && <ProviderButtons place="below" verb="Daftar" state={state} />}
      <p className="text-center text-muted">
        Sudah punya akun?{' '}
        <Link
          to="/login"
          state={state}
          className="inline-flex min-h-11 items-center font-semibold text-primary-ink hover:underline"
        >
          Masuk
        </Link>
      </p>
    </form>
  )
}
