import { experimental_createQueryPersister } from '@tanstack/query-persist-client-core'
import type { QueryPersister } from '@tanstack/react-query'
import { clear, del, entries, get, set } from 'idb-keyval'
import { deviceStore } from '#sw/device-store.ts'
import { queryClient, setPersister } from '../query.ts'
import { onSignOut, store, userAtom } from '../session.ts'

const kept = deviceStore('rupa-queries', 'queries')
const monthMs = 30 * 24 * 3_600_000
const prefix = 'query'

/** Entries belong to one person; with nobody signed in nothing is read or written. */
const ownKey = (key: string): string | undefined => {
  const user = store.get(userAtom)?.id
  return user && `${user}/${key}`
}

type Stored = Parameters<NonNullable<Parameters<typeof experimental_createQueryPersister>[0]['serialize']>>[0]

// Storage may be missing or full: the app then works without memory, so every failure ends here.
const storage = {
  async getItem(key: string): Promise<Stored | undefined> {
    const own = ownKey(key)
    return own === undefined ? undefined : get<Stored>(own, kept).catch(() => undefined)
  },
  async setItem(key: string, value: Stored): Promise<void> {
    const own = ownKey(key)
    if (own !== undefined) await set(own, value, kept).catch(() => undefined)
  },
  async removeItem(key: string): Promise<void> {
    const own = ownKey(key)
    if (own !== undefined) await del(own, kept).catch(() => undefined)
  },
  async entries(): Promise<[string, Stored][]> {
    const own = ownKey('')
    if (own === undefined) return []
    const all = await entries<string, Stored>(kept).catch(() => [])
    return all.filter(([key]) => key.startsWith(own)).map(([key, value]) => [key.slice(own.length), value])
  },
}

/** What a build keeps is read by that build only: shapes may have changed. The name of this file carries the hash of all that the app may load. */
const buildId = import.meta.url

const persister = experimental_createQueryPersister<Stored>({
  storage,
  serialize: (query) => query,
  deserialize: (query) => query,
  buster: buildId,
  maxAge: monthMs,
  // What was kept may be older than the last result, however young it is.
  refetchOnRestore: 'always',
  prefix,
  filters: { predicate: (query) => query.meta?.persist === true },
})

/** Keeps queries marked `meta.persist` on this device for the person signed in, and shows them before the network responds. */
export function keepQueries(): void {
  const keepOwn = ((queryFn, context, query) => {
    const owner = store.get(userAtom)?.id
    // A response that was on its way while somebody else signed in must not be kept as theirs.
    const fetchOwn: typeof queryFn = async (own) => {
      const data = await queryFn(own)
      if (owner !== undefined && store.get(userAtom)?.id !== owner) throw new Error('Somebody else is signed in now')
      return data
    }
    return persister.persisterFn(fetchOwn, context, query)
  }) as QueryPersister
  setPersister(keepOwn)

  // What events of the server write into the cache is kept too.
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || !event.action.manual) return
    if (event.query.meta?.persist === true) void persister.persistQueryByKey(event.query.queryKey, queryClient)
  })
  onSignOut(() => forgetQueries())
  void persister.persisterGc().catch(() => undefined)
}

/** Forgets what was kept, whosever it is. */
export async function forgetQueries(): Promise<void> {
  await clear(kept).catch(() => undefined)
}
