import { experimental_createQueryPersister } from '@tanstack/query-persist-client-core'
import { del, entries, get, set } from 'idb-keyval'
import { keptQueries } from './device/device-store.ts'
import { store, userAtom } from './session.ts'

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
    return own === undefined ? undefined : get<Stored>(own, keptQueries).catch(() => undefined)
  },
  async setItem(key: string, value: Stored): Promise<void> {
    const own = ownKey(key)
    if (own !== undefined) await set(own, value, keptQueries).catch(() => undefined)
  },
  async removeItem(key: string): Promise<void> {
    const own = ownKey(key)
    if (own !== undefined) await del(own, keptQueries).catch(() => undefined)
  },
  async entries(): Promise<[string, Stored][]> {
    const own = ownKey('')
    if (own === undefined) return []
    const all = await entries<string, Stored>(keptQueries).catch(() => [])
    return all.filter(([key]) => key.startsWith(own)).map(([key, value]) => [key.slice(own.length), value])
  },
}

/**
 * What a build keeps is read by that build only: shapes may have changed. The name of this file
 * carries the hash of all that the app may load.
 */
const buildId = import.meta.url

/** Reads and writes the queries of the person signed in. */
export const persister = experimental_createQueryPersister<Stored>({
  storage,
  serialize: (query) => query,
  deserialize: (query) => query,
  buster: buildId,
  maxAge: monthMs,
  // persist.ts asks again itself: the library lets a failure of that go unhandled, which every
  // start without a connection is.
  refetchOnRestore: false,
  prefix,
  filters: { predicate: (query) => query.meta?.persist === true },
})

void persister.persisterGc().catch(() => undefined)
