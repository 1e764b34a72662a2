import { Link } from 'wouter'
import { ApiError } from '#client/api.ts'
import { store } from '#client/session.ts'
import { CheckboxField, EmailField, PasswordField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { type LoginForm as Fields, loginProblems } from '../rules.ts'
import { login } from './api.ts'
import { AuthForm, AuthLink, type AuthPlace } from './auth-form.tsx'
import { authStatusAtom } from './auth-status.ts'
import { formTexts } from './form-texts.ts'
import { LockedOutNotice } from './locked-out-notice.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderButtons, useProvidersFirst } from './provider-buttons.tsx'
import { registeredEmail } from './registration.ts'
import { VerifyNotice } from './verify-notice.tsx'

export function LoginForm({
  verified,
  state,
  onOther,
}: AuthPlace & {
  /** `1` after a verification link worked, `0` after it did not. */
  verified: string | null
}) {
  const providersFirst = useProvidersFirst()
  const form = useForm<Fields>({
    // Whoever has just registered or asked for a link need not type it again.
    defaultValues: { email: store.get(authStatusAtom).tempEmail || registeredEmail(), password: '', remember: false },
    check: loginProblems,
    texts: formTexts,
    send: login,
  })
  const remember = form.watch('remember')
  const refusal = form.failure instanceof ApiError ? form.failure.code : undefined
  const email = form.sent?.email.trim() ?? ''

  const providers = (place: 'above' | 'below') => (
    <ProviderButtons place={place} verb="Masuk" remember={remember} {...{ state, onOther }} />
  )
  const shown = (
    <AuthForm
      form={form}
      action="Masuk"
      more={
        <>
          <PasskeyButton remember={remember} />
          {!providersFirst && providers('below')}
          <p className="text-center text-muted">
            Belum punya akun?{' '}
            <AuthLink to="/register" {...{ state, onOther }}>
              Daftar
            </AuthLink>
          </p>
        </>
      }
    >
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
      {providersFirst && providers('above')}
      <EmailField label="Email" {...form.field('email')} />
      <PasswordField label="Kata sandi" autoComplete="current-password" {...form.field('password')} />
      <div className="-my-2 flex flex-wrap items-center justify-between gap-x-4">
        <CheckboxField label="Ingat saya" {...form.field('remember')} />
        <Link
          to="/forgot-password"
          state={state}
          className="inline-flex min-h-11 items-center font-semibold text-primary-ink text-sm hover:underline"
        >
          Lupa kata sandi?
        </Link>
      </div>
      {refusal === 'request.rate_limited' && <LockedOutNotice email={email} />}
    </AuthForm>
  )
  if (refusal !== 'auth.email_unverified') return shown
  return (
    <div className="grid grid-cols-1 gap-5">
      <VerifyNotice email={email} title="Email belum diverifikasi" />
      {shown}
    </div>
  )
}
