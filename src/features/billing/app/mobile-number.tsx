import { useLingui } from '@lingui/react/macro'
import { TextField } from '#ui/field.tsx'

/** The number of the wallet to which the request for approval goes. */
export function MobileNumberField({
  wallet,
  value,
  error,
  onChange,
}: {
  wallet: string
  value: string
  error: string | undefined
  onChange: (text: string) => void
}) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`Nomor HP ${wallet}`}
      hint={t`Permintaan pembayaran dikirim ke nomor ini.`}
      error={error}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      placeholder="0812…"
      maxLength={24}
    />
  )
}
