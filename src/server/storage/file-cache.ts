import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from './store.ts'

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
