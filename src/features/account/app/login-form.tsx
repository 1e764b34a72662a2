import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { ApiError } from '#client/api.ts'
import { store } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField, EmailField, PasswordField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { type LoginForm as Fields, loginProblems } from '../rules.ts'
import { authStatusAtom, forgotPassword, login } from './api.ts'
import { AuthForm, type AuthFormLocation, AuthLink, PasskeyButton } from './auth-form.tsx'
import { formTexts } from './form-texts.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { registeredEmail } from './registration.ts'
import { VerifyNotice } from './verify-notice.tsx'

export function LoginForm({
  verified,
  state,
  onOther,
}: AuthFormLocation & {
  /** `1`: verified, `0`: the link never works, `later`: try again soon. */
  verified: string | null
}) {
  const form = useForm<Fields>({
    defaultValues: { email: store.get(authStatusAtom).tempEmail || registeredEmail(), password: '', remember: false },
    check: loginProblems,
    texts: formTexts,
    send: login,
  })
  const remember = form.watch('remember')
  const refusal = form.failure instanceof ApiError ? form.failure.code : undefined
  const email = form.sent?.email.trim() ?? ''

  const providers = <ProviderButtons verb="Masuk" remember={remember} state={state} onOther={onOther} />
  const shown = (
    <AuthForm
      form={form}
      action="Masuk"
      more={
        <>
          <PasskeyButton remember={remember} />
          {!onOther && providers}
          <p className="text-center text-muted">
            Belum punya akun?{' '}
            <AuthLink to="/register" state={state} onOther={onOther}>
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
      {verified === 'later' && (
        <p role="alert" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          <strong className="block">Tautannya belum bisa dipakai sekarang</strong>
          Kami sedang merawat server sebentar, dan tautan di emailmu tetap berlaku. Buka lagi beberapa menit lagi, ya.
        </p>
      )}
      {verified === '1' && (
        <p role="status" className="rounded-box bg-soft px-5 py-4 font-medium text-on-soft leading-relaxed">
          Email kamu sudah terverifikasi. Silakan masuk.
        </p>
      )}
      {onOther && providers}
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

function LockedOutNotice({ email }: { email: string }) {
  const send = useMutation({ mutationFn: () => forgotPassword(email) })
  return (
    <div role="alert" className="grid gap-3 rounded-box bg-soft p-5 text-on-soft leading-relaxed">
      {send.isSuccess ? (
        <p>
          Jika <strong className="wrap-anywhere">{email}</strong> terdaftar, tautannya sudah dikirim ke sana dan berlaku
          60 menit. Buka di perangkat ini, supaya kamu bisa langsung masuk di sini.
        </p>
      ) : (
        <>
          <p>
            Terlalu banyak percobaan untuk akun ini, mungkin bukan olehmu. Tunggu sebentar, atau buat kata sandi baru
            lewat email: setelah itu kamu bisa langsung masuk di perangkat ini.
          </p>
          <Button variant="plain" busy={send.isPending} onClick={() => send.mutate()}>
            Kirim tautan ke emailku
          </Button>
        </>
      )}
    </div>
  )
}
