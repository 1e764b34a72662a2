import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiFetch } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { formatAge } from '#client/format.ts'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { SessionView } from '../../types.ts'
import { endOtherSessions, sessionsQuery } from '../profile-api.ts'
import { ReauthenticationDialog } from '../reauthentication/reauthentication-dialog.tsx'
import { Row } from './card.tsx'

/** Where the account is signed in; ending a session elsewhere asks for the password. */
export function Sessions() {
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
