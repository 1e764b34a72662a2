import { QueryClient, type QueryPersister, queryOptions } from '@tanstack/react-query'
import { ApiError, apiJson } from './api.ts'
import { NetworkError } from './device/network-error.ts'
import { sessionIdAtom, store } from './session.ts'
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

/** Injected by persist.ts. */
export function setPersister(persister: QueryPersister): void {
  queryClient.setDefaultOptions({
    ...queryClient.getDefaultOptions(),
    queries: { ...queryClient.getDefaultOptions().queries, persister },
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
