import { MailCheck } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { apiFetch } from '#client/api.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { useForm } from '#ui/form.tsx'
import { useAction } from '#ui/use-action.ts'
import { digitsOnly, verificationCodeDigits, verificationCodeMinutes, verificationCodeProblems } from '../rules.ts'
import { continueVerified } from './api.ts'
import { AuthForm } from './auth-form.tsx'

/** Milliseconds between checks. */
const pause = { first: 3000, later: 15_000 }
const frequentChecks = 60

/** Polls while this page is visible. */
function useLinkOpenedElsewhere(continueIfVerified: () => Promise<unknown>): void {
  const look = useEffectEvent(continueIfVerified)
  useEffect(() => {
    let timer = 0
    let looks = 0
    let ended = false
    const next = () => {
      clearTimeout(timer)
      if (!ended) timer = window.setTimeout(run, looks < frequentChecks ? pause.first : pause.later)
    }
    const run = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible') return
      looks += 1
      look().then(next, next)
    }
    next()
    document.addEventListener('visibilitychange', run)
    return () => {
      ended = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', run)
    }
  }, [])
}

/** The page or sheet may have the title already. */
export function VerifyNotice({ email, title }: { email: string; title?: string | undefined }) {
  const [, navigate] = useLocation()
  const continueIfVerified = async (code?: string) => {
    const { resetToken } = await continueVerified(code)
    if (resetToken !== undefined) navigate(`/reset-password/${resetToken}?verified=1`)
  }
  useLinkOpenedElsewhere(continueIfVerified)
  const form = useForm({
    defaultValues: { code: '' },
    check: verificationCodeProblems,
    texts: { 'verification.digits': `Tulis ${verificationCodeDigits} angka dari emailnya` },
    fieldForError: () => 'code',
    send: ({ code }) => continueIfVerified(digitsOnly(code)),
  })
  const resend = useAction(async () => {
    await apiFetch(`/api/resend_confirmation_email?${new URLSearchParams({ email })}`)
    form.reset()
  }, 'Email verifikasi sudah dikirim ulang')
  const code = form.field('code', {
    onChange: ({ target }: { target: HTMLInputElement }) => {
      if (digitsOnly(target.value).length === verificationCodeDigits && !form.busy) void form.submit()
    },
  })
  return (
    <div className="card grid grid-cols-1 gap-5 p-5">
      <div role="status" className="grid justify-items-center gap-2 text-center">
        <MailCheck aria-hidden className="size-8 text-success" />
        {title && <p className="text-lg font-bold">{title}</p>}
        <p className="leading-relaxed">
          Kami mengirim kode ke <strong className="wrap-anywhere">{email}</strong>.
        </p>
      </div>
      <AuthForm form={form} action="Lanjut">
        <TextField
          label={`Kode ${verificationCodeDigits} angka`}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          className="text-center font-bold tabular-nums"
          // Styles of this one field, which no other page needs to load.
          style={{ height: '5rem', fontSize: 'min(2.25rem, 9.25vw)', letterSpacing: '0.25em' }}
          {...code}
        />
      </AuthForm>
      <div className="grid gap-2 border-line border-t pt-4 text-muted text-sm leading-relaxed">
        <p>
          Kodenya berlaku {verificationCodeMinutes} menit. Bisa juga buka tautan di email itu dalam 24 jam: halaman ini
          lanjut sendiri.
        </p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
          <span>{resend.isSuccess ? 'Sudah dikirim ulang. Cek juga folder spam.' : 'Email tidak masuk?'}</span>
          <Button variant="ghost" busy={resend.isPending} onClick={() => resend.mutate()}>
            Kirim ulang
          </Button>
        </div>
      </div>
    </div>
  )
}
