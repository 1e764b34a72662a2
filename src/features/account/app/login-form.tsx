import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'wouter'
import { ApiError } from '#client/api.ts'
import { store } from '#client/session.ts'
import type { AuthUser } from '#contract/session.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField, EmailField, PasswordField } from '#ui/field.tsx'
import { type Challenge, type LoginForm as Form, login } from './api.ts'
import { authStatusAtom } from './auth-status.ts'
import { CodeForm } from './code-form.tsx'
import { showServerProblems, useProblem } from './form-errors.ts'
import { LockedOutNotice } from './locked-out-notice.tsx'
import { OfflineNote } from './offline-note.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderButtons, useProvidersFirst } from './provider-buttons.tsx'
import { registeredEmail } from './registered-email.ts'
import { emailRule, heldPasswordRule } from './validation.ts'
import { VerifyNotice } from './verify-notice.tsx'

export function LoginForm({
  verified,
  state,
  onDone,
}: {
  /** `1` after a verification link worked, `0` after it did not. */
  verified: string | null
  state: unknown
  onDone: (user: AuthUser) => void
}) {
  const form = useForm<Form>({
    // Whoever has just registered or asked for a link need not type it again.
    defaultValues: { email: store.get(authStatusAtom).tempEmail || registeredEmail(), password: '', remember: false },
  })
  const problem = useProblem(form.formState.errors)
  const remember = useWatch({ control: form.control, name: 'remember' })
  const [failure, setFailure] = useState<unknown>(null)
  const [unverified, setUnverified] = useState<string | null>(null)
  const [lockedOut, setLockedOut] = useState<string | null>(null)
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const providersFirst = useProvidersFirst()

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    setUnverified(null)
    setLockedOut(null)
    try {
      const { user, challenge } = await login(values)
      if (user) onDone(user)
      else setChallenge(challenge)
    } catch (error) {
      setFailure(error)
      if (error instanceof ApiError && error.code === 'auth.email_unverified') setUnverified(values.email.trim())
      if (error instanceof ApiError && error.code === 'request.rate_limited') setLockedOut(values.email.trim())
      showServerProblems(error, form.setError)
    }
  })

  if (challenge !== null) {
    return <CodeForm challenge={challenge} remember={remember} onDone={onDone} onRestart={() => setChallenge(null)} />
  }
  const providers = (place: 'above' | 'below') => (
    <ProviderButtons place={place} verb="Masuk" remember={remember} state={state} onChallenge={setChallenge} />
  )
  return (
    <form noValidate className="grid grid-cols-1 gap-5" onSubmit={(event) => void submit(event)}>
      {verified === '0' && (
        <p role="alert" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          <strong className="block">Tautan verifikasi sudah tidak berlaku</strong>
          Mungkin sudah dipakai atau lewat 24 jam. Coba masuk; kalau belum terverifikasi, kamu bisa minta tautan baru.
        </p>
      )}
      {verified === '1' && (
        <p role="status" className="rounded-box bg-soft px-5 py-4 font-medium text-on-soft leading-relaxed">
          Email kamu sudah terverifikasi. Silakan masuk.
        </p>
      )}
      {unverified && <VerifyNotice email={unverified} title="Email belum diverifikasi" />}
      {providersFirst && providers('above')}
      <EmailField label="Email" error={problem('email')} {...form.register('email', { validate: emailRule })} />
      <PasswordField
        label="Kata sandi"
        autoComplete="current-password"
        showLabel="Tampilkan kata sandi"
        hideLabel="Sembunyikan kata sandi"
        error={problem('password')}
        {...form.register('password', { validate: heldPasswordRule })}
      />
      <div className="-my-2 flex flex-wrap items-center justify-between gap-x-4">
        <CheckboxField label="Ingat saya" {...form.register('remember')} />
        <Link
          to="/forgot-password"
          state={state}
          className="inline-flex min-h-11 items-center font-semibold text-primary-ink text-sm hover:underline"
        >
          Lupa kata sandi?
        </Link>
      </div>
      <OfflineNote error={failure} />
      {lockedOut && <LockedOutNotice email={lockedOut} />}
      <Button type="submit" size="lg" busy={form.formState.isSubmitting}>
        Masuk
      </Button>
      <PasskeyButton remember={remember} onDone={onDone} />
      {!providersFirst && providers('below')}
      <p className="text-center text-muted">
        Belum punya akun?{' '}
        <Link
          to="/register"
          state={state}
          className="inline-flex min-h-11 items-center font-semibold text-primary-ink hover:underline"
        >
          Daftar
        </Link>
      </p>
    </form>
  )
}
