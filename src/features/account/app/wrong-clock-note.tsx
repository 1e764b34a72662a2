import { useLingui } from '@lingui/react/macro'
import { ApiError } from '#client/api.ts'
import { clockDifference, serverNow } from '#client/device/server-time.ts'
import { formatDateTime } from '#client/format.ts'

/** Beyond what the server tolerates, and enough to show in a time without seconds. */
const toleratedMs = 60_000

/** Explains a refused code by this device's clock, which an authenticator app on it follows. */
export function WrongClockNote({ error }: { error: unknown }) {
  const { t } = useLingui()
  const refused = error instanceof ApiError && error.code === 'second_factor.wrong_code'
  if (!refused || Math.abs(clockDifference()) < toleratedMs) return null
  const now = serverNow()
  const shown = formatDateTime(now - clockDifference())
  const right = formatDateTime(now)
  return (
    <p role="alert" className="rounded-field bg-soft px-4 py-3 text-sm text-on-soft leading-relaxed">
      {t`Jam perangkat ini ${shown}, padahal sekarang ${right}. Kode dari aplikasi autentikator di perangkat ini ikut salah: setel tanggal dan jam ke otomatis, lalu tulis kode yang baru.`}
    </p>
  )
}
