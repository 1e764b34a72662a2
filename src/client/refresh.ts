import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** A running fetch of a list is awaited: a refetch would cancel it and lose the next page. */
export async function refresh(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const growing = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data !== undefined })
  await Promise.allSettled(growing.map(({ promise }) => promise))
  return client.invalidateQueries({ queryKey })
}
