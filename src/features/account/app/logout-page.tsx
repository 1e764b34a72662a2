import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { SignOutQuestion } from '#app/offline/sign-out-question.tsx'
import { waitingUploads } from '#app/offline/upload-list.ts'
import { signOut } from '#app/session.ts'
import { ScreenSpinner } from '#app/ui/screen-spinner.tsx'
import { endServerSession } from './calls.ts'

/** /logout: clears the session and goes home. */
export function LogoutPage() {
  const [, navigate] = useLocation()
  // Pictures that wait would go with the person; that is asked first.
  const [waiting, setWaiting] = useState<number | null>(null)
  useEffect(() => {
    void import('#app/offline/uploads.ts')
      .then(({ readUploads }) => readUploads())
      .catch(() => undefined)
      .then(() => setWaiting(waitingUploads().length))
  }, [])
  useEffect(() => {
    if (waiting !== 0) return
    void endServerSession()
    void signOut().then(() => navigate('/', { replace: true }))
  }, [waiting, navigate])
  return (
    <>
      <ScreenSpinner />
      <SignOutQuestion
        waiting={waiting ?? 0}
        onSignOut={() => setWaiting(0)}
        onStay={() => navigate('/history', { replace: true })}
      />
    </>
  )
}
