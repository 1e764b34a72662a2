import { QueryClient, type QueryKey, type QueryPersister, queryOptions } from '@tanstack/react-query'
import type { Site } from '#shared/site.ts'
import { ApiError, apiJson } from './api.ts'
import { NetworkError } from './device/network-error.ts'
import { sessionIdAtom, store, userAtom } from './session.ts'
import { onSignOut } from './sign-out.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      persist?: boolean
    }
  }
}

/** A failed query is retried once, unless a retry cannot help. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) =>
        failures < 1 && !(error instanceof ApiError && error.status < 500 && error.status !== 429),
      networkMode: 'offlineFirst',
      staleTime: 30_000,
    },
    mutations: { networkMode: 'offlineFirst' },
  },
})

export const apiQuery = <Body>(
  queryKey: readonly string[],
  path: string,
  options: { meta?: { persist: true }; staleTime?: number; retry?: false } = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => apiJson<Body>(path, { signal }), ...options })

/** Error of a query without data; one that pauses offline has a NetworkError. */
export const failureOf = ({ error, isPaused }: { error: Error | null; isPaused: boolean }): Error | null =>
  error ?? (isPaused ? new NetworkError() : null)

/** Loaded with the first query of a signed-in user; a visitor has nothing to store. */
const loadPersister = async () => (await import('./query-store.ts')).persister

/**
 * Stores queries marked `meta.persist` for the signed-in user and shows them before the network
 * responds.
 */
export function persistQueries(): void {
  const keepOwn = (async (queryFn, context, query) => {
    const owner = store.get(userAtom)?.id
    const persister = owner !== undefined && query.meta?.persist === true && (await loadPersister().catch(() => null))
    if (!persister) return queryFn(context)
    let asked = false
    // A response that arrives after another user signed in must not be stored as theirs.
    const fetchOwn: typeof queryFn = async (own) => {
      asked = true
      const data = await queryFn(own)
      if (store.get(userAtom)?.id !== owner) throw new Error('another user is signed in now')
      return data
    }
    const data = await persister.persisterFn(fetchOwn, context, query)
    // Stored data may predate the last result even when it is recent.
    if (!asked) setTimeout(() => void query.fetch().catch(() => undefined))
    return data
  }) as QueryPersister
  // The first query waits for it.
  if (store.get(userAtom)) void loadPersister().catch(() => undefined)
  const { queries, ...options } = queryClient.getDefaultOptions()
  queryClient.setDefaultOptions({ ...options, queries: { ...queries, persister: keepOwn } })

  // Also stores data that server events write into the cache.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return
    const { meta, queryKey } = event.query
    if (meta?.persist === true && store.get(userAtom)) {
      void loadPersister().then(
        (persister) => persister.persistQueryByKey(queryKey, queryClient),
        () => undefined,
      )
    }
  })
}

// Picture addresses end with their session, so a new session needs new ones.
let session = store.get(sessionIdAtom)
store.sub(sessionIdAtom, () => {
  const next = store.get(sessionIdAtom)
  if (next === undefined) return
  if (session !== undefined && session !== next) void queryClient.invalidateQueries()
  session = next
})

onSignOut('queries', (reason) => {
  if (reason !== 'ended') queryClient.clear()
})

/** Changes only with a restart of the server. */
export const siteQuery = apiQuery<Site>(['site'], '/api/site', {
  staleTime: Number.POSITIVE_INFINITY,
  meta: { persist: true },
})

/** A running fetch of a list is awaited: a refetch would cancel it and lose the next page. */
export async function refresh(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const growing = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data !== undefined })
  await Promise.allSettled(growing.map(({ promise }) => promise))
  return client.invalidateQueries({ queryKey })
}
