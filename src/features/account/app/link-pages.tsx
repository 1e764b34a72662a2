import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { ApiError, apiFetch, errorText } from '#client/api.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { ScreenSpinner } from '#ui/logo.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { loginWithToken } from './api.ts'
import { OfflineNote } from './auth-form.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { openFirstFactorLink } from './profile-api.ts'
import {
  acceptConfirmation,
  callbackProblem,
  consumeProviderState,
  type ProviderMessage,
  takeConfirmationPurpose,
} from './provider-window.ts'

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

/** Requires a press of a button, since mail programs open links too. */
export function KeepFactorsPage() {
  const { token = '' } = useParams<{ token: string }>()
  const keep = useMutation({ mutationFn: () => apiFetch('/api/keep_factors', { json: { token } }) })
  if (keep.isSuccess) {
    return (
      <AuthLayout
        title="Tidak ada yang dihapus"
        lead="Langkah keduamu tetap ada. Kalau bukan kamu yang meminta penghapusan, buat kata sandi baru sekarang."
      >
        <LinkButton to="/forgot-password" size="lg">
          Buat kata sandi baru
        </LinkButton>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Batalkan penghapusan?"
      lead="Seseorang meminta langkah kedua akunmu dihapus. Kalau itu bukan kamu, batalkan di sini."
    >
      <OfflineNote error={keep.error} />
      {keep.error instanceof ApiError && (
        <p role="alert" className="rounded-box bg-soft px-5 py-4 text-on-soft leading-relaxed">
          {keep.error.code === 'auth.token_invalid' ? 'Tautan ini tidak berlaku lagi.' : keep.error.msg}
        </p>
      )}
      <Button size="lg" busy={keep.isPending} onClick={() => keep.mutate()}>
        Batalkan penghapusan
      </Button>
    </AuthLayout>
  )
}

export function FirstFactorPage() {
  const { t } = useLingui()
  const { token = '' } = useParams<{ token: string }>()
  const [, navigate] = useLocation()
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    openFirstFactorLink(token).then(() => navigate('/profile?enrol=1', { replace: true }), setFailure)
  }, [token, navigate])
  if (failure === null) return <ScreenSpinner />
  return (
    <div className="page">
      <PageHeader title={t`Belum berhasil`} />
      <p role="alert" className="mb-6 leading-relaxed">
        {errorText(failure)}
      </p>
      <LinkButton to="/profile">{t`Ke halaman akun`}</LinkButton>
    </div>
  )
}
