import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { apiFetch } from '#client/api.ts'
import { isAuthenticatedAtom, signOut, store } from '#client/session.ts'
import { ownNavigation } from '#contract/own-navigation.ts'
import { SignOutQuestion, waitingUploads } from '#features/uploads/app/uploads.ts'
import { ScreenSpinner } from '#ui/screen-spinner.tsx'

/** Whether this page was opened here, and not by a page of ours or by the person themselves. */
function openedByAnotherSite(): boolean {
  const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (opening && new URL(opening.name).pathname !== window.location.pathname) return false
  return !opening?.serverTiming?.some(({ name }) => name === ownNavigation)
}

// Once somebody has decided, they move on within the app.
let asks = openedByAnotherSite()

/**
 * /logout: clears the session and goes home. It asks first while pictures wait, which would go with
 * the person, and when another site may have led here.
 */
export function LogoutPage() {
  const [, navigate] = useLocation()
  const [waiting, setWaiting] = useState<number | null>(null)
  const [decided, setDecided] = useState(() => !asks || !store.get(isAuthenticatedAtom))
  useEffect(() => {
    asks = false
    void import('#features/uploads/app/uploads.ts')
      .then(({ readUploads }) => readUploads())
      .catch(() => undefined)
      .then(() => setWaiting(waitingUploads().length))
  }, [])
  const question = waiting !== null && (waiting > 0 || !decided)
  useEffect(() => {
    if (waiting === null || question) return
    // Without a connection the token simply runs out.
    void apiFetch('/api/logout', { method: 'POST', keepalive: true }).catch(() => undefined)
    void signOut().then(() => navigate('/', { replace: true }))
  }, [waiting, question, navigate])
  return (
    <>
      <ScreenSpinner />
      <SignOutQuestion
        open={question}
        waiting={waiting ?? 0}
        onSignOut={() => {
          setDecided(true)
          setWaiting(0)
        }}
        onStay={() => navigate('/history', { replace: true })}
      />
    </>
  )
}
