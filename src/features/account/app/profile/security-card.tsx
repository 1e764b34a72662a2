import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { userAtom } from '#client/session.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { profileQuery } from '../profile-api.ts'
import { Card, Row } from './card.tsx'
import { Passkeys } from './passkeys.tsx'
import { Sessions } from './sessions.tsx'

/** Only staff see it, so that nobody else loads it. */
const TwoStep = lazyComponent(() => import('./two-step.tsx'), 'TwoStep')

/** The password, what stands beside it, and the places where the account is signed in. */
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
      {user && user.role !== 'user' && (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <TwoStep />
        </Suspense>
      )}
      <Passkeys />
      <Sessions />
    </Card>
  )
}
