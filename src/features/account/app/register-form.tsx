import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { ApiError } from '#client/api.ts'
import { serverNow } from '#client/device/server-time.ts'
import { siteQuery } from '#client/query.ts'
import { BirthYearField, CheckboxField, EmailField, PasswordField, TextField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { birthYearProblems, type RegisterForm as Fields, nameMaxLength, registerProblems } from '../rules.ts'
import { authStatusAtom, providersQuery, register } from './api.ts'
import { AuthForm, type AuthFormLocation, AuthLink } from './auth-form.tsx'
import { formTexts } from './form-texts.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { ProviderButtons, TermsLinks } from './provider-buttons.tsx'
import { storeTarget, targetOf } from './redirect-target.ts'
import { finishRegistration, storedRegistration, useStoreRegistration } from './registration.ts'
import { VerifyNotice } from './verify-notice.tsx'

export function RegisterForm({ state, onOther }: AuthFormLocation) {
  const { status, tempEmail } = useAtomValue(authStatusAtom)
  const asksAge = useQuery(siteQuery).data?.age !== null
  const form = useForm<Fields>({
    defaultValues: storedRegistration(),
    check: (fields) => ({ ...registerProblems(fields), ...(asksAge && birthYearProblems(fields, serverNow())) }),
    texts: formTexts,
    send: async (values) => {
      await register(values)
      finishRegistration(values.email.trim())
      storeTarget(targetOf(state))
    },
  })
  const values = form.watch()
  useStoreRegistration(values)

  // In a sheet the form comes first unless another sign-in method is offered.
  const { data: ways } = useQuery(providersQuery)
  const typed = onOther !== undefined && ways?.google === false && !ways.facebook
  const { setFocus } = form
  useEffect(() => {
    if (!typed) return
    const timer = setTimeout(() => setFocus('email'))
    return () => clearTimeout(timer)
  }, [typed, setFocus])

  const providers = <ProviderButtons verb="Daftar" state={state} onOther={onOther} />
  const signIn = (
    <p className="text-center text-muted">
      Sudah punya akun?{' '}
      <AuthLink to="/login" state={state} onOther={onOther}>
        Masuk
      </AuthLink>
    </p>
  )
  if (status === 'verify-email') {
    return (
      <div className="grid gap-5">
        <VerifyNotice email={tempEmail} />
        {onOther ? (
          signIn
        ) : (
          <p className="text-center">
            <AuthLink to="/login" state={state}>
              Ke halaman masuk
            </AuthLink>
          </p>
        )}
      </div>
    )
  }
  return (
    <AuthForm
      form={form}
      action="Daftar"
      more={
        <>
          {!onOther && providers}
          {signIn}
        </>
      }
    >
      {onOther && providers}
      <EmailField label="Email" {...form.field('email')} />
      <TextField label="Nama" autoComplete="name" maxLength={nameMaxLength} {...form.field('name')} />
      <NewPasswordField
        label="Kata sandi"
        password={values.password}
        personal={[values.name, values.email]}
        {...form.field('password', { deps: ['confirmPassword'] })}
      />
      <PasswordField label="Konfirmasi kata sandi" autoComplete="new-password" {...form.field('confirmPassword')} />
      {asksAge && (
        <BirthYearField label="Tahun lahir" hint="Hanya tahunnya yang kami simpan." {...form.field('birthYear')} />
      )}
      <TooYoungNote error={form.failure} />
      <CheckboxField
        label={
          <>
            Saya menyetujui <TermsLinks newTab={onOther !== undefined} />
          </>
        }
        {...form.field('agreeToTerms')}
      />
    </AuthForm>
  )
}

/** Stays, unlike the short message on top of the page. */
function TooYoungNote({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== 'age.below_minimum') return null
  return (
    <p role="alert" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
      Terima kasih sudah mau bergabung! Kamu masih terlalu muda untuk punya akun di sini, dan kami tidak menyimpan apa
      pun tentangmu. Kamu tetap bisa melihat-lihat tanpa akun. Sampai jumpa kalau sudah lebih besar, ya.
    </p>
  )
}
