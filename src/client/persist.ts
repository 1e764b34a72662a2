import type { QueryPersister } from '@tanstack/react-query'
import { queryClient, setPersister } from './query.ts'
import { store, userAtom } from './session.ts'

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
  setPersister(keepOwn)

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
