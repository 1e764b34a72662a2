import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { queryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import { saveBlob } from '#client/save-blob.ts'
import { signIn, store, userAtom } from '#client/session.ts'
import { brandName } from '#shared/brand.ts'
import { readToken } from '#shared/session.ts'
import type { Theme } from '#shared/theme.ts'
import type {
  ChangedProfile,
  Profile,
  SecondFactorView,
  SessionView,
  TokenView,
  TotpConfirmed,
  TotpView,
} from '../schemas.ts'
import type { ShownFactor } from './api.ts'

export const profileQuery = apiQuery<Profile>(['account', 'profile'], '/api/user/me', {
  meta: { persist: true },
  // May have changed on another device.
  staleTime: 0,
})

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: async ({ signal }) => (await apiJson<{ items: SessionView[] }>('/api/user/sessions', { signal })).items,
  staleTime: 0,
})

export type Credential = { password: string } | { confirmation: string }

/** Ignores a late response after signing out. */
async function replaceSessionToken(token: string): Promise<void> {
  if (readToken(token)?.user.id === store.get(userAtom)?.id) await signIn(token)
}

/** The session continues with a new token, since tokens carry the name. */
export async function changeProfile(change: { name?: string; theme?: Theme }): Promise<void> {
  const { access_token, ...profile } = await apiJson<ChangedProfile>('/api/user/me', { method: 'PATCH', json: change })
  await replaceSessionToken(access_token)
  queryClient.setQueryData(profileQuery.queryKey, profile)
}

/**
 * The token carries name and address, which may have changed by a mailed link or on another device.
 */
export async function refreshOutdatedToken(profile: Profile): Promise<void> {
  const held = store.get(userAtom)
  if (held?.id !== profile.id || (held.email === profile.email && held.name === profile.name)) return
  await changeProfile({})
}

/** Ends every other session. */
export async function changePassword(credential: Credential, password: string): Promise<void> {
  const shown = 'password' in credential ? { currentPassword: credential.password } : credential
  const { access_token } = await apiJson<TokenView>('/api/user/password', { json: { ...shown, password } })
  await replaceSessionToken(access_token)
  await queryClient.invalidateQueries({ queryKey: ['account'] })
}

/** Returns the server's description of the next step. */
export async function requestNewEmail(credential: Credential & ShownFactor, email: string): Promise<string> {
  return (await apiJson<{ msg: string }>('/api/user/email', { json: { ...credential, email: email.trim() } })).msg
}

export async function endOtherSessions(credential: Credential): Promise<void> {
  const { access_token } = await apiJson<TokenView>('/api/user/sessions/end_others', { json: credential })
  await replaceSessionToken(access_token)
}

export async function downloadExport(): Promise<void> {
  const response = await apiFetch('/api/user/export', { method: 'POST', headers: { accept: 'application/zip' } })
  await saveBlob(await response.blob(), `${brandName.toLowerCase()}-${new Date().toISOString().slice(0, 10)}.zip`)
}

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
