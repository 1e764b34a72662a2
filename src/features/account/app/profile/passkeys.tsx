import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAge, formatDateTime } from '#client/format.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { PasskeyView } from '../../types.ts'
import { providersQuery } from '../api.ts'
import { ReauthenticationDialog } from '../reauthentication/reauthentication-dialog.tsx'
import { addPasskey, needsFirstFactorLink, removePasskey, secondFactorQuery } from '../second-factor-api.ts'
import { Row } from './card.tsx'
import { FirstFactorDialog } from './first-factor-dialog.tsx'

/** Passkeys of the account: the device's own lock in the place of the password. */
export function Passkeys() {
  const { t } = useLingui()
  const { data: methods } = useQuery(providersQuery)
  const { data: security } = useQuery(secondFactorQuery)
  const [asked, setAsked] = useState<PasskeyView | 'new' | null>(null)
  const close = () => setAsked(null)
  if (!methods?.passkey || !security) return null
  const Adding = needsFirstFactorLink(security) ? FirstFactorDialog : AddPasskeyDialog
  const removed = asked === 'new' ? null : asked
  return (
    <div className="grid gap-4">
      <Row
        name={t`Kunci sandi`}
        button={
          'PublicKeyCredential' in window && {
            'aria-label': t`Tambah kunci sandi`,
            onClick: () => setAsked('new'),
            children: t`Tambah`,
          }
        }
      >
        {t`Masuk dengan sidik jari, wajah atau PIN perangkatmu, tanpa kata sandi.`}
      </Row>
      {security.passkeys.length > 0 && (
        <ul className="grid gap-4">
          {security.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow passkey={passkey} onRemove={() => setAsked(passkey)} />
            </li>
          ))}
        </ul>
      )}
      <Adding open={asked === 'new'} onClose={close} title={t`Tambah kunci sandi`} />
      <ReauthenticationDialog
        open={removed !== null}
        onClose={close}
        title={t`Hapus kunci sandi`}
        action={t`Hapus`}
        variant="danger"
        factor="always"
        send={async (credential) => {
          if (removed) await removePasskey(credential, removed.id)
          showSnackbar('success', t`Kunci sandi dihapus`)
        }}
      >
        {t`Kunci sandi ini tidak bisa lagi membuka akunmu. Di perangkatnya sendiri, hapus juga dari pengelola kata sandi.`}
      </ReauthenticationDialog>
    </div>
  )
}

function AddPasskeyDialog(dialog: { open: boolean; onClose: () => void; title: string }) {
  const { t } = useLingui()
  return (
    <ReauthenticationDialog
      {...dialog}
      action={t`Buat kunci sandi`}
      factor="unless-shown"
      send={async (credential) => {
        await addPasskey(credential)
        showSnackbar('success', t`Kunci sandi ditambahkan`)
      }}
    >
      {t`Konfirmasi bahwa ini kamu. Setelah itu, perangkatmu meminta sidik jari, wajah atau PIN.`}
    </ReauthenticationDialog>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: PasskeyView; onRemove: () => void }) {
  const { t } = useLingui()
  const name = passkey.name ?? t`Perangkat tidak dikenal`
  const removal = passkey.removalDueAt && formatDateTime(passkey.removalDueAt)
  const used = passkey.lastUsedAt === null ? null : formatAge(passkey.lastUsedAt)
  return (
    <Row name={name} button={{ 'aria-label': t`Hapus kunci sandi ${name}`, onClick: onRemove, children: t`Hapus` }}>
      {removal
        ? t`Akan dihapus ${removal}, kecuali dipakai sebelum itu.`
        : used === null
          ? t`Belum pernah dipakai`
          : t`Terakhir dipakai ${used}`}
    </Row>
  )
}
