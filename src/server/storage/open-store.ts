import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '#shared/time.ts'
import type { Config } from '../config.ts'
import { type DiskSpace, withReserve } from '../disk-space.ts'
import { AppError } from '../http/app-error.ts'
import { createFolderStore, draftsFolder } from './folder-store.ts'
import { createS3Store } from './s3-store.ts'
import type { StorageLocation } from './storage-config.ts'
import type { FileStore } from './store.ts'
import { createWorkFolders, removeStaleFolders, type WithFolder } from './work-folder.ts'

/** Size of the local cache of files in a remote storage. */
const cacheBytes = 1024 * 1024 * 1024
const tidyMilliseconds = hourMs

export interface OpenStorage {
  store: FileStore
  moving: { from: FileStore; to: FileStore } | undefined
  withFolder: WithFolder
  close(): Promise<void>
}

export function openStorage(
  { storage, dataDir }: Pick<Config, 'storage' | 'dataDir'>,
  space: Pick<DiskSpace, 'require'>,
): OpenStorage {
  const work = join(dataDir, 'work')
  const cache = join(dataDir, 'cache')
  const withFolder = createWorkFolders(work, () => space.require())
  const tidied = [work, cache]
  const open = (place: StorageLocation): FileStore => {
    if (place instanceof URL) return cachedStore(createS3Store(place, withFolder), cache, cacheBytes)
    tidied.push(draftsFolder(place))
    return withReserve(createFolderStore(place), space)
  }
  const to = open(storage.place ?? join(dataDir, 'files'))
  const from = storage.previous === undefined ? undefined : open(storage.previous)
  const tidy = () => void removeStaleFolders(tidied)
  tidy()
  const timer = setInterval(tidy, tidyMilliseconds).unref()
  return {
    store: from ? withPrevious(to, from) : to,
    moving: from && { from, to },
    withFolder,
    close: async () => clearInterval(timer),
  }
}

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

/**
 * Caches recently fetched files. Processes may share the folder; `maxBytes` holds after each trim.
 */
export function cachedStore(store: FileStore, folder: string, maxBytes: number): FileStore {
  const cachePathOf = (key: string) => join(folder, createHash('sha256').update(key).digest('hex'))
  let added = Number.POSITIVE_INFINITY

  /** Scans the folder only after as many added bytes as a trim would remove. */
  const trim = async (bytes: number): Promise<void> => {
    added += bytes
    if (added < maxBytes / 4) return
    added = 0
    const found = await Promise.all(
      (await readdir(folder)).map(async (name) => {
        const path = join(folder, name)
        const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }))
        return { path, size, mtimeMs }
      }),
    )
    let total = 0
    for (const { path, size } of found.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      total += size
      if (total > (maxBytes * 3) / 4) await rm(path, { force: true })
    }
  }

  return {
    ...store,
    async fetch(key, path) {
      const kept = cachePathOf(key)
      const now = new Date()
      const known = await utimes(kept, now, now)
        .then(() => link(kept, path))
        .then(() => true)
        .catch(() => false)
      if (known) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, randomUUID())
      try {
        await store.fetch(key, draft)
        await link(draft, path)
        await rename(draft, kept)
      } finally {
        await rm(draft, { force: true })
      }
      await trim((await stat(path)).size)
    },
    async delete(keys) {
      await store.delete(keys)
      for (const key of keys) await rm(cachePathOf(key), { force: true })
    },
  }
}
