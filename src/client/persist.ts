import type { QueryPersister } from '@tanstack/react-query'
import { queryClient, setPersister } from './query.ts'
import { store, userAtom } from './session.ts'

/**
 * What reads and writes them comes with the first query of somebody who is signed in; a visitor has
 * nothing to keep.
 */
const loadPersister = async () => (await import('./query-store.ts')).persister

/**
 * Keeps queries marked `meta.persist` on this device for the person signed in, and shows them
 * before the network responds.
 */
export function keepQueries(): void {
  const keepOwn = (async (queryFn, context, query) => {
    const owner = store.get(userAtom)?.id
    const persister = owner !== undefined && query.meta?.persist === true && (await loadPersister().catch(() => null))
    if (!persister) return queryFn(context)
    let asked = false
    // A response that was on its way while somebody else signed in must not be kept as theirs.
    const fetchOwn: typeof queryFn = async (own) => {
      asked = true
      const data = await queryFn(own)
      if (store.get(userAtom)?.id !== owner) throw new Error('Somebody else is signed in now')
      return data
    }
    const data = await persister.persisterFn(fetchOwn, context, query)
    // What was kept may be older than the last result, however young it is.
    if (!asked) setTimeout(() => void query.fetch().catch(() => undefined))
    return data
  }) as QueryPersister
  setPersister(keepOwn)

  // What events of the server write into the cache is kept too.
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
