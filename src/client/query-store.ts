import { experimental_createQueryPersister } from '@tanstack/query-persist-client-core'
import { del, entries, get, set } from 'idb-keyval'
import { dayMs } from '#shared/time.ts'
import { queryStorage } from './device/device-store.ts'
import { store, userAtom } from './session.ts'

const monthMs = 30 * dayMs
const prefix = 'query'

/** Without a user nothing is read or written. */
const ownKey = (key: string): string | undefined => {
  const user = store.get(userAtom)?.id
  return user && `${user}/${key}`
}

type Stored = Parameters<NonNullable<Parameters<typeof experimental_createQueryPersister>[0]['serialize']>>[0]

// Storage may be missing or full: the app works without stored data.
const storage = {
  async getItem(key: string): Promise<Stored | undefined> {
    const own = ownKey(key)
    return own === undefined ? undefined : get<Stored>(own, queryStorage).catch(() => undefined)
  },
  async setItem(key: string, value: Stored): Promise<void> {
    const own = ownKey(key)
    if (own !== undefined) await set(own, value, queryStorage).catch(() => undefined)
  },
  async removeItem(key: string): Promise<void> {
    const own = ownKey(key)
    if (own !== undefined) await del(own, queryStorage).catch(() => undefined)
  },
  async entries(): Promise<[string, Stored][]> {
    const own = ownKey('')
    if (own === undefined) return []
    const all = await entries<string, Stored>(queryStorage).catch(() => [])
    return all.filter(([key]) => key.startsWith(own)).map(([key, value]) => [key.slice(own.length), value])
  },
}

/**
 * Shapes change between builds; this file's name carries the hash of everything the app may load.
 */
const buildId = import.meta.url

export const persister = experimental_createQueryPersister<Stored>({
  storage,
  serialize: (query) => query,
  deserialize: (query) => query,
  buster: buildId,
  maxAge: monthMs,
  // query.ts refetches itself: the library leaves a refetch that fails offline unhandled.
  refetchOnRestore: false,
  prefix,
  filters: { predicate: (query) => query.meta?.persist === true },
})

void persister.persisterGc().catch(() => undefined)
