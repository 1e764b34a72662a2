import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { LinkButton } from '#app/ui/button.tsx'
import { ScreenSpinner } from '#app/ui/screen-spinner.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { enter } from './calls.ts'
import { landingOf, takeKeptTarget } from './target.ts'

/** What is sent to the page that opened this one. */
export interface TokenMessage {
  type: 'auth-token'
  token: string
}

/** /auth/callback?token=…, where a provider's sign-in ends: hands the token to the page that opened it, or signs in here. */
export function CallbackPage() {
  const [, navigate] = useLocation()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const token = new URLSearchParams(window.location.search).get('token')
    // The token leaves the address bar and the history first.
    window.history.replaceState(null, '', window.location.pathname)
    if (token === null) {
      setFailed(true)
      return
    }
    const opener = window.opener as Window | null
    if (opener) {
      opener.postMessage({ type: 'auth-token', token } satisfies TokenMessage, window.location.origin)
      window.close()
      return
    }
    enter(token).then(
      (user) => navigate(landingOf(user, takeKeptTarget()), { replace: true }),
      () => setFailed(true),
    )
  }, [navigate])
  if (!failed) return <ScreenSpinner />
  return (
    <AuthLayout title="Belum berhasil masuk" lead="Terjadi kesalahan saat masuk. Coba sekali lagi, ya.">
      <LinkButton to="/login" size="lg">
        Ke halaman masuk
      </LinkButton>
    </AuthLayout>
  )
}
