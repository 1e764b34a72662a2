import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { LinkButton } from '#ui/button.tsx'
import { ScreenSpinner } from '#ui/screen-spinner.tsx'
import { type Challenge, loginWithToken } from './api.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CodeForm } from './code-form.tsx'
import { callbackProblem } from './provider-texts.ts'
import { type ProviderMessage, takeState } from './provider-window.ts'
import { takeConfirmation, takePurpose } from './reauthentication/confirmation.ts'
import { landingOf, takeKeptTarget } from './target.ts'

/** What the address carries, in the words of the message. */
function readAddress(search: string): ProviderMessage {
  const query = new URLSearchParams(search)
  const state = query.get('state') ?? ''
  const token = query.get('token')
  if (token !== null) return { type: 'auth-token', token, state }
  const confirmation = query.get('confirmation')
  if (confirmation !== null) return { type: 'auth-confirmation', confirmation, state }
  return { type: 'auth-error', code: query.get('error') ?? '' }
}

/**
 * /auth/callback, where a provider's window ends: hands the page that opened it what came in the
 * address and closes. Without such a page (the window was blocked) it goes on here, if this tab
 * asked for it.
 */
export function CallbackPage() {
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState<string | null>(null)
  const [back, setBack] = useState('/login')
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  useEffect(() => {
    const message = readAddress(window.location.search)
    // What it carries leaves the address bar and the history first.
    window.history.replaceState(null, '', window.location.pathname)
    const opener = window.opener as Window | null
    if (opener && !opener.closed) {
      opener.postMessage(message, window.location.origin)
      window.close()
      return
    }
    const refuse = (code: string): void => {
      setBack(takePurpose() ? '/profile' : '/login')
      setProblem(callbackProblem(code))
    }
    if (message.type === 'auth-error') refuse(message.code)
    else if (!takeState(message.state)) refuse('auth.provider_failed')
    else if (message.type === 'auth-token') {
      loginWithToken(message.token).then(
        ({ user, challenge }) => {
          if (user) navigate(landingOf(user, takeKeptTarget()), { replace: true })
          else setChallenge(challenge)
        },
        () => refuse(''),
      )
    } else if (takeConfirmation(message.confirmation)) navigate('/profile', { replace: true })
    else refuse('auth.confirmation_invalid')
  }, [navigate])
  if (challenge !== null) {
    return (
      <AuthLayout title="Masuk">
        <CodeForm
          challenge={challenge}
          remember={false}
          onDone={(user) => navigate(landingOf(user, takeKeptTarget()), { replace: true })}
          onRestart={() => navigate('/login', { replace: true })}
        />
      </AuthLayout>
    )
  }
  if (problem === null) return <ScreenSpinner />
  return (
    <AuthLayout title="Belum berhasil" lead={problem}>
      <LinkButton to={back} size="lg">
        {back === '/login' ? 'Ke halaman masuk' : 'Kembali ke akun'}
      </LinkButton>
    </AuthLayout>
  )
}
