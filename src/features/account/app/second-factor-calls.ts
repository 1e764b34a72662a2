import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { queryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { queryClient } from '#client/query.ts'
import type { SecondFactorView, TotpConfirmed, TotpView } from '../contract.ts'
import { continueWith, type Proof } from './profile-calls.ts'

/** What protects the account beside the password. */
export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => apiJson<SecondFactorView>('/api/user/second_factor', { signal }),
  staleTime: 0,
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['account'] })

export function startTotp(proof: Proof): Promise<TotpView> {
  return apiJson<TotpView>('/api/user/totp', { json: proof })
}

/** Turns the second factor on; returns the recovery codes. */
export async function confirmTotp(code: string): Promise<string[]> {
  const { access_token, recoveryCodes } = await apiJson<TotpConfirmed>('/api/user/totp/confirm', {
    json: { code: code.trim() },
  })
  await continueWith(access_token)
  await refresh()
  return recoveryCodes
}

export async function turnTotpOff(proof: Proof): Promise<void> {
  await apiFetch('/api/user/totp/off', { json: proof })
  await refresh()
}

export async function renewRecoveryCodes(proof: Proof): Promise<string[]> {
  const { recoveryCodes } = await apiJson<{ recoveryCodes: string[] }>('/api/user/recovery_codes', { json: proof })
  await refresh()
  return recoveryCodes
}

/**
 * The browser makes a passkey with the device's own lock, and the account keeps its public half.
 */
export async function addPasskey(proof: Proof): Promise<void> {
  const [{ startRegistration }, optionsJSON] = await Promise.all([
    import('@simplewebauthn/browser'),
    apiJson<PublicKeyCredentialCreationOptionsJSON>('/api/user/passkeys/options', { json: proof }),
  ])
  const response = await startRegistration({ optionsJSON })
  await apiFetch('/api/user/passkeys', { json: { response } })
  await refresh()
}

export async function removePasskey(proof: Proof, id: string): Promise<void> {
  await apiFetch(`/api/user/passkeys/${encodeURIComponent(id)}/remove`, { json: proof })
  await refresh()
}
