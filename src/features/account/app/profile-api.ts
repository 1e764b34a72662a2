import { queryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import { saveBlob } from '#client/save-blob.ts'
import { signIn, store, userAtom } from '#client/session.ts'
import { brandName } from '#shared/brand.ts'
import { readToken } from '#shared/session.ts'
import type { Theme } from '#shared/theme.ts'
import type { ChangedProfile, Profile, SessionView, TokenView } from '../schemas.ts'
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
export async function replaceSessionToken(token: string): Promise<void> {
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
  saveBlob(await response.blob(), `${brandName.toLowerCase()}-${new Date().toISOString().slice(0, 10)}.zip`)
}
