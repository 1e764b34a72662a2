import { statfs } from 'node:fs/promises'
import { appError } from './http/app-error.ts'
import type { FileStore } from './storage/store.ts'

/** Kept free for the database's log: it must never meet a full disk, for then it gives up. */
const reserve = 64 * 1024 * 1024
const cacheMilliseconds = 1_000

/** Watches how much room the disk has that holds DATA_DIR. */
export interface DiskRoom {
  /** Throws `storage.full` while only the reserve is left. */
  require(): Promise<void>
}

/** `free` answers the bytes that are left; other ones only in tests. */
export function createDiskRoom(dataDir: string, free: () => Promise<number> = () => freeBytes(dataDir)): DiskRoom {
  let known = { at: Number.NEGATIVE_INFINITY, bytes: Promise.resolve(0) }
  return {
    async require() {
      const now = performance.now()
      if (now - known.at > cacheMilliseconds) known = { at: now, bytes: free() }
      if ((await known.bytes) < reserve) throw appError('storage.full', undefined, { retryAfter: 60 })
    },
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** The same store, which leaves the reserve alone. */
export function withinRoom(store: FileStore, room: DiskRoom): FileStore {
  return {
    ...store,
    async put(...file) {
      await room.require()
      await store.put(...file)
    },
    async write(...file) {
      await room.require()
      return await store.write(...file)
    },
    async make(...file) {
      await room.require()
      return await store.make(...file)
    },
    async append(...file) {
      await room.require()
      return await store.append(...file)
    },
  }
}
