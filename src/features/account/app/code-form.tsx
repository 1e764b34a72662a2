import { useAtom } from 'jotai'
import { ApiError } from '#client/api.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { challengeAtom, loginWithCode } from './api.ts'
import { AuthForm, PasskeyButton } from './auth-form.tsx'
import { WrongClockNote } from './wrong-clock-note.tsx'

export function CodeForm() {
  const [challenge, setChallenge] = useAtom(challengeAtom)
  const form = useForm({
    defaultValues: { code: '' },
    check: ({ code }) => ({ code: code.trim().length >= 6 ? null : 'required' }),
    fieldForError: () => 'code',
    send: async ({ code }) => {
      try {
        await loginWithCode(challenge?.token ?? '', code)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'second_factor.challenge_expired')) throw error
        setChallenge(null)
      }
    },
  })
  if (!challenge) return null
  const others = (
    <>
      {challenge.factors.includes('passkey') && <PasskeyButton remember={challenge.remember} />}
      <Button variant="ghost" onClick={() => setChallenge(null)}>
        Masuk dengan akun lain
      </Button>
    </>
  )
  if (!challenge.factors.includes('code')) {
    return (
      <div className="grid grid-cols-1 gap-5">
        <p className="text-muted leading-relaxed">
          Akunmu juga meminta kunci sandi. Kehilangan kuncinya? Buat kata sandi baru lewat email: di sana kuncinya bisa
          dihapus.
        </p>
        {others}
      </div>
    )
  }
  return (
    <AuthForm form={form} action="Lanjut" more={others}>
      <p className="text-muted leading-relaxed">
        Buka aplikasi autentikatormu dan tulis kode 6 angkanya. HP-mu tidak ada? Pakai salah satu kode pemulihan.
      </p>
      <TextField
        label="Kode"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.field('code')}
      />
      <WrongClockNote error={form.failure} />
    </AuthForm>
  )
}
