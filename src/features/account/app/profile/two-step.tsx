import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '#client/format.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { ReauthenticationDialog, ReauthenticationForm } from '../reauthentication/reauthentication-dialog.tsx'
import { needsFirstFactorLink, renewRecoveryCodes, secondFactorQuery, turnTotpOff } from '../second-factor-api.ts'
import { Row } from './card.tsx'
import { FirstFactorDialog } from './first-factor-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpSetup } from './totp-setup.tsx'

type Task = 'setup' | 'codes' | 'off'

/** Two-step verification with an authenticator app, for people with a role. */
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
