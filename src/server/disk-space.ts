import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { appError } from './http/app-error.ts'
import type { FileStore } from './storage/store.ts'

const megabyte = 1024 * 1024
/** Bytes reserved for the database's log: a full disk would stop the database. */
const reserveBytes = 64 * megabyte
/** Bytes kept free even by admins' actions. */
const leastBytes = 8 * megabyte
const cacheMilliseconds = 1_000

export interface DiskSpace {
  free(): Promise<number>
  /** Throws `storage.full` while only the reserve is left; `staff` may use it. */
  require(by?: 'staff'): Promise<void>
  /**
   * Maintains a file of the reserve's size and deletes it on a full disk, so that the database
   * survives and staff can sign in. Called every few seconds.
   */
  keepReserve(): Promise<'kept' | 'spent'>
}

/** `free` returns the free bytes; replaced in tests. */
export function createDiskSpace(dataDir: string, free: () => Promise<number> = () => freeBytes(dataDir)): DiskSpace {
  const reserve = join(dataDir, 'reserve')
  let known = { at: Number.NEGATIVE_INFINITY, bytes: Promise.resolve(0) }
  const freeLately = () => {
    const now = performance.now()
    if (now - known.at > cacheMilliseconds) known = { at: now, bytes: free() }
    return known.bytes
  }
  return {
    free: freeLately,
    async require(by) {
      if ((await freeLately()) < (by === 'staff' ? leastBytes : reserveBytes)) {
        throw appError('storage.full', { retryAfter: 60 })
      }
    },
    async keepReserve() {
      const bytes = await free()
      const kept = (await stat(reserve).catch(() => undefined))?.size === reserveBytes
      if (kept && bytes < reserveBytes / 2) {
        await rm(reserve, { force: true })
        return 'spent'
      }
      // The reserve is recreated only if that leaves enough space.
      if (!kept && bytes > reserveBytes * 3) await writeFile(reserve, Buffer.alloc(reserveBytes), { mode: 0o600 })
      return 'kept'
    },
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Refuses to write into the reserve. */
export function withReserve(store: FileStore, space: Pick<DiskSpace, 'require'>): FileStore {
  return {
    ...store,
    async put(...file) {
      await space.require()
      return await store.put(...file)
    },
    async putFile(...file) {
      await space.require()
      await store.putFile(...file)
    },
  }
}
