import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#client/errors.ts'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { resendVerification } from './api.ts'

/** Tells that a verification mail is on its way, and sends it again. */
export function VerifyNotice({ email, title }: { email: string; title: string }) {
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)

  const resend = async () => {
    setBusy(true)
    try {
      await resendVerification(email)
      setSent(true)
      showSnackbar('success', 'Email verifikasi sudah dikirim ulang')
    } catch (error) {
      showSnackbar('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div role="status" className="grid gap-3 rounded-box bg-soft p-5 text-on-soft">
      <p className="flex items-center gap-3 text-lg font-bold">
        <MailCheck aria-hidden className="size-6 shrink-0" />
        {title}
      </p>
      <p className="leading-relaxed">
        Buka tautan verifikasi di email <strong className="wrap-anywhere">{email}</strong>. Tautannya berlaku 24 jam.
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5 text-sm">
        <span>{sent ? 'Sudah dikirim ulang. Cek juga folder spam.' : 'Email tidak masuk?'}</span>
        <Button variant="plain" busy={busy} onClick={resend}>
          Kirim ulang
        </Button>
      </div>
    </div>
  )
}
