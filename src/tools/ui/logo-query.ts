import { hashKey, type QueryFunctionContext, queryOptions, useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { ApiError, apiFetch, apiJson } from '#client/api.ts'
import { onlineAtom } from '#client/connection.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { queryClient } from '#client/query.ts'
import { isAuthenticatedAtom, store } from '#client/session.ts'
import { useObjectUrl } from './object-url.ts'
import type { PanelProps } from './page.ts'

interface KeptLogo {
  /** A PNG as a data URL. */
  picture: string | null
  /** Changed here and not yet sent to the account. */
  unsent?: true
}

const path = '/api/user/logo'

const logoQuery = queryOptions({ queryKey: ['logo'], queryFn: syncLogo, meta: { persist: true } })

/** A local change is sent to the account before anything is read from there. */
async function syncLogo({ client, signal }: QueryFunctionContext): Promise<KeptLogo> {
  for (;;) {
    const known = client.getQueryData(logoQuery.queryKey)
    const after = known?.unsent ? await sendLogo(known.picture) : await apiJson<KeptLogo>(path, { signal })
    // The logo may have changed again meanwhile.
    if (client.getQueryData(logoQuery.queryKey) === known) return after
  }
}

async function sendLogo(picture: string | null): Promise<KeptLogo> {
  await (picture === null
    ? apiFetch(path, { method: 'DELETE' })
    : apiFetch(path, { method: 'PUT', json: { picture } satisfies KeptLogo }))
  return { picture }
}

/** Available offline; null without a logo, undefined while unknown. */
export function useAccountLogo(): string | null | undefined {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data } = useQuery({ ...logoQuery, enabled: signedIn })
  return signedIn ? data?.picture : null
}

export function useLogoUrl(files: PanelProps<unknown>['files']): string | null {
  const own = useObjectUrl(files.logo?.[0])
  const kept = useAccountLogo() ?? null
  return own ?? kept
}

/**
 * Null removes the logo; without a connection it is sent later. `onHeld` is called once this device
 * has stored it, even if the page closes.
 */
export async function saveLogo(picture: string | null, onHeld?: () => void): Promise<void> {
  queryClient.setQueryData(logoQuery.queryKey, { picture, unsent: true })
  await holdHere().catch(() => undefined)
  onHeld?.()
  try {
    await queryClient.fetchQuery({ ...logoQuery, staleTime: 0, retry: false })
  } catch (error) {
    if (error instanceof NetworkError) return
    // A logo that the server refused is not sent again.
    const refused = error instanceof ApiError && error.status < 500 && error.status !== 429
    if (refused) queryClient.setQueryData(logoQuery.queryKey, { picture })
    throw error
  }
}

const loadPersister = async () => (await import('#client/query-store.ts')).persister

async function holdHere(): Promise<void> {
  await (await loadPersister()).persistQueryByKey(logoQuery.queryKey, queryClient)
}

async function readStoredLogo(): Promise<KeptLogo | undefined> {
  return await (await loadPersister()).retrieveQuery(hashKey(logoQuery.queryKey))
}

/**
 * Sends a waiting logo now and whenever the connection returns; returns a function that stops it.
 */
export function sendPendingLogo(): () => void {
  const send = async () => {
    if (!store.get(onlineAtom)) return
    const known = queryClient.getQueryData(logoQuery.queryKey) ?? (await readStoredLogo())
    if (known?.unsent) await saveLogo(known.picture)
  }
  const again = () => void send().catch(() => undefined)
  again()
  return store.sub(onlineAtom, again)
}
