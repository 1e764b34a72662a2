import { useMutation } from '@tanstack/react-query'
import { Button } from '#ui/button.tsx'
import { forgotPassword } from './api.ts'

/** For whoever is kept out by guesses at their password: one tap mails a link for a new one. */
export function LockedOutNotice({ email }: { email: string }) {
  // What fails is told at the edge of the screen.
  const send = useMutation({ mutationFn: () => forgotPassword(email) })
  return (
    <div role="alert" className="grid gap-3 rounded-box bg-soft p-5 text-on-soft leading-relaxed">
      {send.isSuccess ? (
        <p>
          Jika <strong className="wrap-anywhere">{email}</strong> terdaftar, tautannya sudah dikirim ke sana dan berlaku
          60 menit. Buka di perangkat ini, supaya kamu bisa langsung masuk di sini.
        </p>
      ) : (
        <>
          <p>
            Terlalu banyak percobaan untuk akun ini, mungkin bukan olehmu. Tunggu sebentar, atau buat kata sandi baru
            lewat email: setelah itu kamu bisa langsung masuk di perangkat ini.
          </p>
          <Button variant="plain" busy={send.isPending} onClick={() => send.mutate()}>
            Kirim tautan ke emailku
          </Button>
        </>
      )}
    </div>
  )
}
