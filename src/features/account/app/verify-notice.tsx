import { MailCheck } from 'lucide-react'
import { apiFetch } from '#client/api.ts'
import { Button } from '#ui/button.tsx'
import { useAction } from '#ui/use-action.ts'

/** Tells that a verification mail is on its way, and sends it again. */
export function VerifyNotice({ email, title }: { email: string; title: string }) {
  const resend = useAction(
    () => apiFetch(`/api/resend_confirmation_email?${new URLSearchParams({ email })}`),
    'Email verifikasi sudah dikirim ulang',
  )
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
        <span>{resend.isSuccess ? 'Sudah dikirim ulang. Cek juga folder spam.' : 'Email tidak masuk?'}</span>
        <Button variant="plain" busy={resend.isPending} onClick={() => resend.mutate()}>
          Kirim ulang
        </Button>
      </div>
    </div>
  )
}
