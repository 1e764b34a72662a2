import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { forgotPassword } from './api.ts'

/** For whoever is kept out by guesses at their password: one tap mails a link for a new one. */
export function LockedOutNotice({ email }: { email: string }) {
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)

  const send = async () => {
    setBusy(true)
    try {
      await forgotPassword(email)
      setSent(true)
    } catch {
      // The notice at the edge of the screen has said why.
    } finally {
      setBusy(false)
    }
  }

  return (
    <div role="alert" className="grid gap-3 rounded-box bg-soft p-5 text-on-soft">
      {sent ? (
        <p className="leading-relaxed">
          Jika <strong className="wrap-anywhere">{email}</strong> terdaftar, tautannya sudah dikirim ke sana dan berlaku
          60 menit. Buka di perangkat ini, supaya kamu bisa langsung masuk di sini.
        </p>
      ) : (
        <>
          <p className="leading-relaxed">
            Terlalu banyak percobaan untuk akun ini, mungkin bukan olehmu. Tunggu sebentar, atau buat kata sandi baru
            lewat email: setelah itu kamu bisa langsung masuk di perangkat ini.
          </p>
          <Button type="button" variant="plain" busy={busy} onClick={() => void send()}>
            Kirim tautan ke emailku
          </Button>
        </>
      )}
    </div>
  )
}
