import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { QrSvg } from '#ui/qr-svg.tsx'
import type { TotpView } from '../../types.ts'
import { ReauthenticationForm } from '../reauthentication/reauthentication-dialog.tsx'
import { confirmTotp, startTotp } from '../second-factor-api.ts'
import { copyText } from './copy-text.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/**
 * Password, then the secret for the authenticator app and its first code, then the recovery codes.
 */
export function TotpSetup({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const [started, setStarted] = useState<TotpView | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (started) return <FirstCode totp={started} onConfirmed={setCodes} />
  return (
    <ReauthenticationForm
      action={t`Lanjut`}
      factor="unless-shown"
      send={async (credential) => setStarted(await startTotp(credential))}
    >
      {t`Kamu butuh aplikasi autentikator, misalnya Google Authenticator atau Aegis. Konfirmasi dulu bahwa ini kamu.`}
    </ReauthenticationForm>
  )
}

function FirstCode({ totp, onConfirmed }: { totp: TotpView; onConfirmed: (codes: string[]) => void }) {
  const { t } = useLingui()
  const form = useForm({
    defaultValues: { code: '' },
    check: ({ code }) => ({ code: /^\s*\d{3}\s?\d{3}\s*$/.test(code) ? null : 'required' }),
    blames: () => 'code',
    send: async ({ code }) => onConfirmed(await confirmTotp(code)),
  })
  const said = { done: t`Kunci disalin`, failed: t`Tidak bisa menyalin. Tekan lama kuncinya.` }
  return (
    <Form form={form}>
      <p className="text-muted leading-relaxed">
        {t`Pindai kode ini dengan aplikasi autentikatormu. Memakai ponsel ini juga? Salin kuncinya ke aplikasi.`}
      </p>
      <div className="grid justify-items-center gap-4">
        <QrSvg content={totp.uri} label={t`Kode QR untuk aplikasi autentikator`} />
        <p className="select-all break-all text-center font-mono text-sm">{totp.secret}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <Button variant="outline" onClick={() => void copyText(totp.secret, said)}>
            {t`Salin kunci`}
          </Button>
          {/* A phone cannot scan its own screen; the app takes the address. */}
          <a href={totp.uri} className="btn btn-outline border-line sm:hidden">
            {t`Buka di aplikasi`}
          </a>
        </div>
      </div>
      <TextField
        label={t`Kode 6 angka dari aplikasi`}
        inputMode="numeric"
        autoComplete="one-time-code"
        {...form.field('code')}
      />
      <FormProblem>{form.problem}</FormProblem>
      <Button type="submit" size="lg" busy={form.busy}>
        {t`Aktifkan`}
      </Button>
    </Form>
  )
}
