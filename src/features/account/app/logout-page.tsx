import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { signOut } from '#app/session.ts'
import { ScreenSpinner } from '#app/ui/screen-spinner.tsx'
import { endServerSession } from './calls.ts'

/** /logout: clears the session and goes home. */
export function LogoutPage() {
  const [, navigate] = useLocation()
  useEffect(() => {
    void endServerSession()
    void signOut().then(() => navigate('/', { replace: true }))
  }, [navigate])
  return <ScreenSpinner />
}
