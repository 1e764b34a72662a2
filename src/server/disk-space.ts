import { statfs } from 'node:fs/promises'
import { appError } from './http/app-error.ts'
import type { FileStore } from './storage/store.ts'

/** Kept free for the database's log: it must never meet a full disk, for then it gives up. */
const reserve = 64 * 1024 * 1024
const cacheMilliseconds = 1_000

/** Watches the free space of the disk that holds DATA_DIR. */
export interface DiskSpace {
  /** Throws `storage.full` while only the reserve is left. */
  require(): Promise<void>
}

/** `free` returns the bytes that are left; another one only in tests. */
export function createDiskSpace(dataDir: string, free: () => Promise<number> = () => freeBytes(dataDir)): DiskSpace {
  let known = { at: Number.NEGATIVE_INFINITY, bytes: Promise.resolve(0) }
  return {
    async require() {
      const now = performance.now()
      if (now - known.at > cacheMilliseconds) known = { at: now, bytes: free() }
      if ((await known.bytes) < reserve) throw appError('storage.full', { retryAfter: 60 })
    },
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The same store, which leaves the reserve alone. */
export function withReserve(store: FileStore, space: DiskSpace): FileStore {
  return {
    ...store,
    async put(...file) {
      await space.require()
      await store.put(...file)
    },
    async write(...file) {
      await space.require()
      return await store.write(...file)
    },
    async make(...file) {
      await space.require()
      return await store.make(...file)
    },
    async append(...file) {
      await space.require()
      return await store.append(...file)
    },
  }
}
