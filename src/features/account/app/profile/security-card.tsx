import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { apiFetch, errorText } from '#client/api.ts'
import { formatAge, formatDateTime } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { userAtom } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { PasskeyView, SessionView } from '../../schemas.ts'
import { providersQuery } from '../api.ts'
import {
  addPasskey,
  endOtherSessions,
  needsFirstFactorLink,
  profileQuery,
  removePasskey,
  secondFactorQuery,
  sessionsQuery,
} from '../profile-api.ts'
import { ReauthenticationDialog } from '../reauthentication/reauthentication-form.tsx'
import { Card, Row } from './card.tsx'
import { FirstFactorDialog } from './first-factor-dialog.tsx'

/** Only staff need it, so other users do not load it. */
const TwoStep = lazyComponent(() => import('./two-step.tsx'), 'TwoStep', <Skeleton className="h-24" />)

export function SecurityCard({ onChangePassword }: { onChangePassword: () => void }) {
  const { t } = useLingui()
  const { data: profile } = useQuery(profileQuery)
  const user = useAtomValue(userAtom)
  return (
    <Card title={t`Keamanan`}>
      <Row
        name={t`Kata sandi`}
        button={{
          onClick: onChangePassword,
          children: profile?.hasPassword === false ? t`Buat kata sandi` : t`Ganti kata sandi`,
        }}
      >
        {profile?.hasPassword === false && t`Akunmu belum punya kata sandi.`}
      </Row>
      {user && user.role !== 'user' && <TwoStep />}
      <Passkeys />
      <Sessions />
    </Card>
  )
}

function Sessions() {
  const { t } = useLingui()
  const sessions = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<SessionView | 'others' | null>(null)
  const others = sessions.data?.filter(({ current }) => !current) ?? []
  const device = ending === null || ending === 'others' ? '' : (ending.device ?? t`Perangkat tidak dikenal`)
  return (
    <div className="grid gap-4">
      <h3 className="font-semibold text-sm">{t`Perangkat yang masuk`}</h3>
      {sessions.isPending && <Skeleton className="h-14" />}
      {sessions.isError && !sessions.data && <p className="text-muted">{errorText(sessions.error)}</p>}
      {sessions.data && (
        <ul className="grid gap-4">
          {sessions.data.map((session) => (
            <li key={session.id}>
              <SessionRow session={session} onEnd={() => setEnding(session)} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Button variant="outline" onClick={() => setEnding('others')}>
          {t`Keluar dari semua perangkat lain`}
        </Button>
      )}
      <ReauthenticationDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={ending === 'others' ? t`Keluar dari semua perangkat lain` : t`Keluarkan ${device}`}
        action={t`Keluarkan`}
        send={async (credential) => {
          if (ending === 'others') await endOtherSessions(credential)
          else if (ending) await apiFetch(`/api/user/sessions/${ending.id}/end`, { json: credential })
          showSnackbar(
            'success',
            ending === 'others' ? t`Semua perangkat lain sudah keluar` : t`Perangkat itu sudah keluar`,
          )
          await sessions.refetch()
        }}
      >
        {t`Siapa pun yang memakainya harus masuk lagi. Konfirmasi bahwa ini kamu.`}
      </ReauthenticationDialog>
    </div>
  )
}

function SessionRow({ session, onEnd }: { session: SessionView; onEnd: () => void }) {
  const { t } = useLingui()
  const device = session.device ?? t`Perangkat tidak dikenal`
  const seen = formatAge(session.lastSeenAt)
  return (
    <Row
      name={device}
      button={!session.current && { 'aria-label': t`Keluarkan ${device}`, onClick: onEnd, children: t`Keluarkan` }}
    >
      {session.current ? t`Perangkat ini` : t`Terakhir dipakai ${seen}`}
    </Row>
  )
}

function Passkeys() {
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
