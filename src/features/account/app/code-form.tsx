import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '#client/api.ts'
import type { AuthUser } from '#contract/session.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { type Challenge, loginWithCode } from './api.ts'
import { useProblem } from './form-errors.ts'
import { OfflineNote } from './offline-note.tsx'
import { PasskeyButton } from './passkey-button.tsx'

/** The second step of a sign-in. In Indonesian like all auth screens. */
export function CodeForm({
  challenge,
  remember,
  onDone,
  onRestart,
}: {
  challenge: Challenge
  /** For a passkey, which signs in by itself. */
  remember: boolean
  onDone: (user: AuthUser) => void
  /** The challenge has expired, or the person wants to begin anew. */
  onRestart: () => void
}) {
  const form = useForm({ defaultValues: { code: '' } })
  const problem = useProblem(form.formState.errors)
  const [failure, setFailure] = useState<unknown>(null)
  const submit = form.handleSubmit(async ({ code }) => {
    setFailure(null)
    try {
      const { user } = await loginWithCode(challenge.token, code)
      if (user) onDone(user)
    } catch (error) {
      setFailure(error)
      if (!(error instanceof ApiError)) return
      if (error.code === 'second_factor.challenge_expired') onRestart()
      else form.setError('code', { type: 'server', message: error.msg }, { shouldFocus: true })
    }
  })
  return (
    <form noValidate className="grid grid-cols-1 gap-5" onSubmit={(event) => void submit(event)}>
      {challenge.factors.includes('code') ? (
        <>
          <p className="text-muted leading-relaxed">
            Buka aplikasi autentikatormu dan tulis kode 6 angkanya. Ponselmu tidak ada? Pakai salah satu kode pemulihan.
          </p>
          <TextField
            label="Kode"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            error={problem('code')}
            {...form.register('code', { validate: (code) => code.trim().length >= 6 || 'required' })}
          />
          <OfflineNote error={failure} />
          <Button type="submit" size="lg" busy={form.formState.isSubmitting}>
            Lanjut
          </Button>
        </>
      ) : (
        <p className="text-muted leading-relaxed">
          Akunmu juga meminta kunci sandi. Kehilangan kuncinya? Buat kata sandi baru lewat email: di sana kuncinya bisa
          dihapus.
        </p>
      )}
      {challenge.factors.includes('passkey') && <PasskeyButton remember={remember} onDone={onDone} />}
      <Button variant="ghost" onClick={onRestart}>
        Masuk dengan akun lain
      </Button>
    </form>
  )
}
