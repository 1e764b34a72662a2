import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { CheckboxField, EmailField, PasswordField, TextField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { nameMaxLength } from '../person-name.ts'
import { type RegisterForm as Fields, registerProblems } from '../rules.ts'
import { authStatusAtom, providersQuery, register } from './api.ts'
import { AuthForm, type AuthFormLocation, AuthLink } from './auth-form.tsx'
import { formTexts } from './form-texts.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { ProviderButtons, TermsLinks } from './provider-buttons.tsx'
import { finishRegistration, storedRegistration, useStoreRegistration } from './registration.ts'
import { storeTarget, targetOf } from './target.ts'
import { VerifyNotice, verifyTitle } from './verify-notice.tsx'

export function RegisterForm({ state, onOther }: AuthFormLocation) {
  const { status, tempEmail } = useAtomValue(authStatusAtom)
  const form = useForm<Fields>({
    defaultValues: storedRegistration(),
    check: registerProblems,
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
        <VerifyNotice email={tempEmail} title={onOther && verifyTitle} />
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
