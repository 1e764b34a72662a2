import { useAtomValue } from 'jotai'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from 'wouter'
import { statusAtom, tempEmailAtom } from '#app/session.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { CheckboxField, PasswordField, TextField } from '#app/ui/field.tsx'
import { passwordRules } from '#contract/password.ts'
import { type RegisterForm as Form, register } from './calls.ts'
import { showServerProblems, useProblem } from './form-errors.ts'
import { OfflineNote } from './offline-note.tsx'
import { keepTarget, targetOf } from './target.ts'
import { emailRule, nameRule, newPasswordRule, sameAsPassword, termsRule } from './validation.ts'
import { VerifyNotice } from './verify-notice.tsx'

const shortRules: Record<(typeof passwordRules)[number]['key'], string> = {
  'password.minLength': '8 karakter',
  'password.lowercase': 'huruf kecil',
  'password.uppercase': 'huruf besar',
  'password.number': 'angka',
  'password.specialChar': 'simbol, misalnya ! atau ?',
}

/** The password rules, ticked off while typing. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {passwordRules.map(({ key, holds }) => (
        <span key={key} className={`inline-flex items-center gap-1 ${holds(password) ? 'text-success' : ''}`}>
          <Check aria-hidden className={`size-4 ${holds(password) ? '' : 'opacity-40'}`} />
          {shortRules[key]}
        </span>
      ))}
    </span>
  )
}

export function RegisterForm({ state }: { state: unknown }) {
  const form = useForm<Form>({
    defaultValues: { name: '', email: '', password: '', confirmPassword: '', agreeToTerms: false },
  })
  const problem = useProblem(form.formState.errors)
  const password = useWatch({ control: form.control, name: 'password' })
  const status = useAtomValue(statusAtom)
  const tempEmail = useAtomValue(tempEmailAtom)
  const [failure, setFailure] = useState<unknown>(null)

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      await register(values)
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
    <form noValidate className="grid gap-5" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Nama"
        autoComplete="name"
        maxLength={100}
        error={problem('name')}
        {...form.register('name', { validate: nameRule })}
      />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={problem('email')}
        {...form.register('email', { validate: emailRule })}
      />
      <PasswordField
        label="Kata sandi"
        autoComplete="new-password"
        maxLength={200}
        showLabel="Tampilkan kata sandi"
        hideLabel="Sembunyikan kata sandi"
        hint={<PasswordRules password={password} />}
        error={problem('password')}
        {...form.register('password', { validate: newPasswordRule, deps: ['confirmPassword'] })}
      />
      <PasswordField
        label="Konfirmasi kata sandi"
        autoComplete="new-password"
        maxLength={200}
        showLabel="Tampilkan konfirmasi kata sandi"
        hideLabel="Sembunyikan konfirmasi kata sandi"
        error={problem('confirmPassword')}
        {...form.register('confirmPassword', { validate: sameAsPassword })}
      />
      <CheckboxField
        label={
          <>
            Saya menyetujui{' '}
            <Link to="/terms-of-service" className="font-semibold text-primary underline">
              Syarat Layanan
            </Link>{' '}
            dan{' '}
            <Link to="/privacy-policy" className="font-semibold text-primary underline">
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
      <p className="text-center text-muted">
        Sudah punya akun?{' '}
        <Link
          to="/login"
          state={state}
          className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
        >
          Masuk
        </Link>
      </p>
    </form>
  )
}
