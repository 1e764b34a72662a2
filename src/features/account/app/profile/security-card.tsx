import { useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '#app/errors.ts'
import { formatAge } from '#app/format.ts'
import { showSnackbar } from '#app/snackbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { SessionView } from '../../contract.ts'
import { endOneSession, endOtherSessions, profileQuery, sessionsQuery } from '../profile-calls.ts'
import { Card, Row } from './card.tsx'

/** The password and the places where the account is signed in. */
export function SecurityCard({ onChangePassword }: { onChangePassword: () => void }) {
  const { t } = useLingui()
  const { data: profile } = useQuery(profileQuery)
  return (
    <Card title={t`Keamanan`}>
      <Row
        name={t`Kata sandi`}
        action={
          <Button variant="outline" onClick={onChangePassword}>
            {profile?.hasPassword === false ? t`Buat kata sandi` : t`Ganti kata sandi`}
          </Button>
        }
      >
        {profile?.hasPassword === false && t`Akunmu belum punya kata sandi.`}
      </Row>
      <Sessions />
    </Card>
  )
}

function Sessions() {
  const { t } = useLingui()
  const client = useQueryClient()
  const sessions = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<string | null>(null)
  const refresh = () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  const onError = (error: Error) => {
    showSnackbar('error', errorText(error))
    void refresh()
  }
  const endOne = useMutation({
    mutationFn: endOneSession,
    onSuccess: () => {
      showSnackbar('success', t`Perangkat itu sudah keluar`)
      return refresh()
    },
    onError,
    onSettled: () => setEnding(null),
  })
  const endOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: () => {
      showSnackbar('success', t`Semua perangkat lain sudah keluar`)
      return refresh()
    },
    onError,
  })
  const others = sessions.data?.filter(({ current }) => !current) ?? []
  return (
    <div className="grid gap-4">
      <h3 className="font-semibold text-sm">{t`Perangkat yang masuk`}</h3>
      {sessions.isPending && <Skeleton className="h-14" />}
      {sessions.isError && !sessions.data && <p className="text-muted">{errorText(sessions.error)}</p>}
      {sessions.data && (
        <ul className="grid gap-4">
          {sessions.data.map((session) => (
            <li key={session.id}>
              <SessionRow
                session={session}
                busy={ending === session.id}
                onEnd={() => {
                  setEnding(session.id)
                  endOne.mutate(session.id)
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <Button variant="outline" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {t`Keluar dari semua perangkat lain`}
        </Button>
      )}
    </div>
  )
}

function SessionRow({ session, busy, onEnd }: { session: SessionView; busy: boolean; onEnd: () => void }) {
  const { t } = useLingui()
  const device = session.device ?? t`Perangkat tidak dikenal`
  const seen = formatAge(session.lastSeenAt)
  return (
    <Row
      name={device}
      action={
        !session.current && (
          <Button variant="outline" busy={busy} aria-label={t`Keluarkan ${device}`} onClick={onEnd}>
            {t`Keluarkan`}
          </Button>
        )
      }
    >
      {session.current ? t`Perangkat ini` : t`Terakhir dipakai ${seen}`}
    </Row>
  )
}
