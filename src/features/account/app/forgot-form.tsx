import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'wouter'
import { Button } from '#ui/button.tsx'
import { EmailField } from '#ui/field.tsx'
import { forgotPassword } from './api.ts'
import { authStatusAtom } from './auth-status.ts'
import { showServerProblems, useProblem } from './form-errors.ts'
import { OfflineNote } from './offline-note.tsx'
import { emailRule } from './validation.ts'

export function ForgotForm({ state }: { state: unknown }) {
  const form = useForm({ defaultValues: { email: '' } })
  const problem = useProblem(form.formState.errors)
  const { status, tempEmail } = useAtomValue(authStatusAtom)
  const [failure, setFailure] = useState<unknown>(null)

  const submit = form.handleSubmit(async ({ email }) => {
    setFailure(null)
    try {
      await forgotPassword(email)
    } catch (error) {
      setFailure(error)
      showServerProblems(error, form.setError)
    }
  })

  return (
    <form noValidate className="grid grid-cols-1 gap-5" onSubmit={(event) => void submit(event)}>
      {status === 'reset-password' && (
        <p role="status" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          Jika <strong className="wrap-anywhere">{tempEmail}</strong> terdaftar, tautan untuk mengatur ulang kata sandi
          sudah dikirim ke sana. Tautannya berlaku 60 menit.
        </p>
      )}
      <EmailField label="Email" error={problem('email')} {...form.register('email', { validate: emailRule })} />
      <OfflineNote error={failure} />
      <Button type="submit" size="lg" busy={form.formState.isSubmitting}>
        Kirim
      </Button>
      <p className="text-center">
        <Link
          to="/login"
          state={state}
          className="inline-flex min-h-11 items-center font-semibold text-primary-ink hover:underline"
        >
          Kembali ke halaman masuk
        </Link>
      </p>
    </form>
  )
}
