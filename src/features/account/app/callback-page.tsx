import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { LinkButton } from '#ui/button.tsx'
import { ScreenSpinner } from '#ui/screen-spinner.tsx'
import { loginWithToken } from './api.ts'
import { AuthLayout } from './auth-layout.tsx'
import { callbackProblem, consumeProviderState, type ProviderMessage } from './provider-window.ts'
import { acceptConfirmation, takeConfirmationPurpose } from './reauthentication/confirmation.ts'

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
 * End of a provider's window: passes its result to the opener and closes. Without an opener (popup
 * blocked) it continues here if this tab started it.
 */
export function CallbackPage() {
  const [, navigate] = useLocation()
  const [problem, setProblem] = useState<string | null>(null)
  const [back, setBack] = useState('/login')
  useEffect(() => {
    const message = readAddress(window.location.search)
    // Do this first: the result must not stay in the address bar or the history.
    window.history.replaceState(null, '', window.location.pathname)
    const opener = window.opener as Window | null
    if (opener && !opener.closed) {
      opener.postMessage(message, window.location.origin)
      window.close()
      return
    }
    const refuse = (code: string): void => {
      setBack(takeConfirmationPurpose() ? '/profile' : '/login')
      setProblem(callbackProblem(code))
    }
    if (message.type === 'auth-error') refuse(message.code)
    else if (!consumeProviderState(message.state)) refuse('auth.provider_failed')
    else if (message.type === 'auth-token') {
      loginWithToken(message.token, false).then(
        () => navigate('/login', { replace: true }),
        () => refuse(''),
      )
    } else if (acceptConfirmation(message.confirmation)) navigate('/profile', { replace: true })
    else refuse('auth.confirmation_invalid')
  }, [navigate])
  if (problem === null) return <ScreenSpinner />
  return (
    <AuthLayout title="Belum berhasil" lead={problem}>
      <LinkButton to={back} size="lg">
        {back === '/login' ? 'Ke halaman masuk' : 'Kembali ke akun'}
      </LinkButton>
    </AuthLayout>
  )
}
