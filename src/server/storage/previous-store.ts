import { AppError } from '../http/app-error.ts'
import type { FileStore } from './store.ts'

/** Files missing here are read from the previous store. */
export function withPrevious(store: FileStore, previous: FileStore): FileStore {
  const orThere =
    <Args extends unknown[], Result>(
      here: (...args: Args) => Promise<Result>,
      there: (...args: Args) => Promise<Result>,
    ) =>
    (...args: Args): Promise<Result> =>
      here(...args).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'file.not_found') return there(...args)
        throw error
      })
  const { signedAddress: _, ...own } = store
  return {
    ...own,
    get: orThere(store.get, previous.get),
    stream: orThere(store.stream, previous.stream),
    fetch: orThere(store.fetch, previous.fetch),
    copy: orThere(store.copy, async (from, to) => {
      await store.put(to, (await previous.stream(from)).body)
    }),
    async delete(keys) {
      await store.delete(keys)
      await previous.delete(keys)
    },
    async *list(folder) {
      const seen = new Set<string>()
      for (const one of [store, previous]) {
        for await (const key of one.list(folder)) {
          if (!seen.has(key)) yield key
          seen.add(key)
        }
      }
    },
    async check() {
      await Promise.all([store.check(), previous.check()])
    },
  }
}
