import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, useForm } from '#ui/form.tsx'
import { QrSvg } from '#ui/qr-svg.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { copyText } from '#ui/use-action.ts'
import type { TotpView } from '../../schemas.ts'
import {
  confirmTotp,
  needsFirstFactorLink,
  renewRecoveryCodes,
  secondFactorQuery,
  startTotp,
  turnTotpOff,
} from '../profile-api.ts'
import { ReauthenticationDialog, ReauthenticationForm } from '../reauthentication/reauthentication-form.tsx'
import { WrongClockNote } from '../wrong-clock-note.tsx'
import { Row } from './card.tsx'
import { FirstFactorDialog } from './first-factor-dialog.tsx'

type Task = 'setup' | 'codes' | 'off'

export function TwoStep() {
  const { t } = useLingui()
  const { data: security } = useQuery(secondFactorQuery)
  const [task, setTask] = useState<Task | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (!security) return null
  const close = () => {
    setTask(null)
    setCodes(null)
  }
  const left = security.recoveryCodesLeft
  const removal = security.totpRemovalDueAt && formatDateTime(security.totpRemovalDueAt)
  const first = needsFirstFactorLink(security)
  return (
    <div className="grid gap-4">
      <Row
        name={t`Verifikasi dua langkah`}
        button={
          security.totp
            ? { onClick: () => setTask('off'), children: t`Matikan` }
            : { variant: 'primary', onClick: () => setTask('setup'), children: t`Aktifkan` }
        }
      >
        {removal
          ? t`Akan dihapus ${removal}, kecuali dipakai sebelum itu.`
          : security.totp
            ? t`Aktif. Masuk juga meminta kode dari aplikasi autentikator.`
            : security.required
              ? t`Wajib untuk peranmu. Aktifkan dulu untuk membuka halaman admin.`
              : t`Belum aktif. Lindungi akunmu dengan kode dari aplikasi autentikator.`}
      </Row>
      {security.totp && (
        <Row name={t`Kode pemulihan`} button={{ onClick: () => setTask('codes'), children: t`Buat yang baru` }}>
          {t`Tersisa ${left} kode.`}
        </Row>
      )}
      <FirstFactorDialog open={task === 'setup' && first} onClose={close} title={t`Verifikasi dua langkah`} />
      <BottomSheet open={task === 'setup' && !first} onClose={close} title={t`Verifikasi dua langkah`}>
        <TotpSetup onDone={close} />
      </BottomSheet>
      <BottomSheet open={task === 'codes'} onClose={close} title={t`Kode pemulihan`}>
        {codes ? (
          <RecoveryCodes codes={codes} onDone={close} />
        ) : (
          <ReauthenticationForm
            action={t`Buat kode baru`}
            factor="unless-shown"
            send={async (credential) => setCodes(await renewRecoveryCodes(credential))}
          >
            {t`Kode yang lama tidak berlaku lagi.`}
          </ReauthenticationForm>
        )}
      </BottomSheet>
      <ReauthenticationDialog
        open={task === 'off'}
        onClose={close}
        title={t`Matikan verifikasi dua langkah`}
        action={t`Matikan`}
        variant="danger"
        factor="always"
        send={async (credential) => {
          await turnTotpOff(credential)
          showSnackbar('success', t`Verifikasi dua langkah dimatikan`)
        }}
      >
        {t`Setelah ini, kata sandi saja cukup untuk masuk ke akunmu.`}
      </ReauthenticationDialog>
    </div>
  )
}

function TotpSetup({ onDone }: { onDone: () => void }) {
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
    fieldForError: () => 'code',
    send: async ({ code }) => onConfirmed(await confirmTotp(code)),
  })
  const messages = { done: t`Kunci disalin`, failed: t`Tidak bisa menyalin. Tandai kuncinya, lalu salin sendiri.` }
  return (
    <Form form={form} action={t`Aktifkan`}>
      <p className="text-muted leading-relaxed">
        {t`Pindai kode ini dengan aplikasi autentikatormu. Aplikasinya di HP ini? Salin kuncinya ke sana.`}
      </p>
      <div className="grid justify-items-center gap-4">
        <QrSvg content={totp.uri} label={t`Kode QR untuk aplikasi autentikator`} />
        <p className="select-all break-all text-center font-mono text-sm">{totp.secret}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <Button variant="outline" onClick={() => void copyText(totp.secret, messages)}>
            {t`Salin kunci`}
          </Button>
          {/* A phone cannot scan its own screen. */}
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
      <WrongClockNote error={form.failure} />
    </Form>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useLingui()
  const messages = {
    done: t`Kode pemulihan disalin`,
    failed: t`Tidak bisa menyalin. Catat kodenya dengan tangan.`,
  }
  return (
    <div className="grid gap-5">
      <p className="text-muted leading-relaxed">
        {t`Simpan kode ini di tempat aman. Kalau HP-mu hilang, tiap kode bisa dipakai sekali untuk masuk. Kode ini tidak ditampilkan lagi.`}
      </p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-box bg-soft px-5 py-4 font-mono text-on-soft">
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <Button variant="outline" onClick={() => void copyText(codes.join('\n'), messages)}>
        {t`Salin semua`}
      </Button>
      <Button size="lg" onClick={onDone}>
        {t`Sudah kusimpan`}
      </Button>
    </div>
  )
}
