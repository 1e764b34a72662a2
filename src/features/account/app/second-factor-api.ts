import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { apiFetch, apiJson } from '#client/api.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import type { SecondFactorView, TotpConfirmed, TotpView } from '../schemas.ts'
import type { ShownFactor } from './api.ts'
import { type Credential, changeProfile, replaceSessionToken } from './profile-api.ts'

export const secondFactorQuery = apiQuery<SecondFactorView>(['account', 'second-factor'], '/api/user/second_factor', {
  staleTime: 0,
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['account'] })

export function needsFirstFactorLink({ totp, passkeys, linkOpened }: SecondFactorView): boolean {
  return !totp && passkeys.length === 0 && !linkOpened
}

/** The token names rights of the session that may go with a factor. */
const refreshRequiredAction = async () => {
  await changeProfile({})
  await refresh()
}

export async function openFirstFactorLink(token: string): Promise<void> {
  await apiFetch('/api/user/second_factor/open', { json: { token } })
  await refresh()
}

export function startTotp(credential: Credential & ShownFactor): Promise<TotpView> {
  return apiJson<TotpView>('/api/user/totp', { json: credential })
}

export async function confirmTotp(code: string): Promise<string[]> {
  const { access_token, recoveryCodes } = await apiJson<TotpConfirmed>('/api/user/totp/confirm', {
    json: { code: code.trim() },
  })
  await replaceSessionToken(access_token)
  await refresh()
  return recoveryCodes
}

export async function turnTotpOff(credential: Credential & ShownFactor): Promise<void> {
  await apiFetch('/api/user/totp/off', { json: credential })
  await refreshRequiredAction()
}

export async function renewRecoveryCodes(credential: Credential & ShownFactor): Promise<string[]> {
  const { recoveryCodes } = await apiJson<{ recoveryCodes: string[] }>('/api/user/recovery_codes', { json: credential })
  await refresh()
  return recoveryCodes
}

export async function addPasskey(credential: Credential & ShownFactor): Promise<void> {
  const [{ startRegistration }, optionsJSON] = await Promise.all([
    import('@simplewebauthn/browser'),
    apiJson<PublicKeyCredentialCreationOptionsJSON>('/api/user/passkeys/options', { json: credential }),
  ])
  const response = await startRegistration({ optionsJSON })
  await apiFetch('/api/user/passkeys', { json: { response } })
  await refreshRequiredAction()
}

export async function removePasskey(credential: Credential & ShownFactor, id: string): Promise<void> {
  await apiFetch(`/api/user/passkeys/${encodeURIComponent(id)}/remove`, { json: credential })
  await refreshRequiredAction()
}
