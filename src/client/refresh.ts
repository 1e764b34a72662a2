import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Asks anew for everything under a key. What is being fetched for a list that already shows
 * something is waited for: asking anew cancels it, and a further page that somebody has asked for
 * would never come.
 */
export async function refresh(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const growing = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data !== undefined })
  await Promise.allSettled(growing.map(({ promise }) => promise))
  return client.invalidateQueries({ queryKey })
}
