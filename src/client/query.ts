import { QueryClient, type QueryPersister, queryOptions } from '@tanstack/react-query'
import { ApiError, apiJson } from './api.ts'
import { NetworkError } from './device/network-error.ts'
import { sessionIdAtom, store } from './session.ts'
import { onSignOut } from './sign-out.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Kept on this device, to be shown with its age when offline. */
      persist?: boolean
    }
  }
}

/** A failed query is retried once, unless asking again cannot help. */
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

/** What the server has at an address; whoever asks for more than that writes `queryOptions`. */
export const apiQuery = <Body>(
  queryKey: readonly string[],
  path: string,
  options: { meta?: { persist: true }; staleTime?: number; retry?: false } = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => apiJson<Body>(path, { signal }), ...options })

/**
 * Why a query has nothing to show yet; null while it is on its way. Without a connection it does
 * not fail but waits for one.
 */
export const failureOf = ({ error, isPaused }: { error: Error | null; isPaused: boolean }): Error | null =>
  error ?? (isPaused ? new NetworkError() : null)

/** The offline part hands in how queries marked `meta.persist` are kept. */
export function setPersister(persister: QueryPersister): void {
  queryClient.setDefaultOptions({
    ...queryClient.getDefaultOptions(),
    queries: { ...queryClient.getDefaultOptions().queries, persister },
  })
}

/** Addresses of pictures end with the session that got them, so a new one asks anew. */
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
