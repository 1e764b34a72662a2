import { useAtomValue } from 'jotai'
import { EmailField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { emailProblems } from '../rules.ts'
import { forgotPassword } from './api.ts'
import { AuthForm, AuthLink } from './auth-form.tsx'
import { authStatusAtom } from './auth-status.ts'
import { formTexts } from './form-texts.ts'

export function ForgotForm({ state }: { state: unknown }) {
  const { status, tempEmail } = useAtomValue(authStatusAtom)
  const form = useForm({
    defaultValues: { email: '' },
    check: emailProblems,
    texts: formTexts,
    send: ({ email }) => forgotPassword(email),
  })
  return (
    <AuthForm
      form={form}
      action="Kirim"
      more={
        <p className="text-center">
          <AuthLink to="/login" state={state}>
            Kembali ke halaman masuk
          </AuthLink>
        </p>
      }
    >
      {status === 'reset-password' && (
        <p role="status" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          Jika <strong className="wrap-anywhere">{tempEmail}</strong> terdaftar, tautan untuk mengatur ulang kata sandi
          sudah dikirim ke sana. Tautannya berlaku 60 menit.
        </p>
      )}
      <EmailField label="Email" {...form.field('email')} />
    </AuthForm>
  )
}
