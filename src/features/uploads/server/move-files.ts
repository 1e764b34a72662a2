import { createHash } from 'node:crypto'
import { asc, eq, gt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import type { FileStore } from '#server/storage/store.ts'
import { storedFiles } from './table.ts'

const batchSize = 200
const concurrency = 4
/** So many failures in a row mean that a store is down: each takes seconds of retries. */
const maxFailuresInRow = 20

export interface Moved {
  /** Files in the new store that equal those in the old one. */
  files: number
  copied: number
  bytes: number
  failed: number
  /** Reason of the first failure. */
  reason?: string
}

/**
 * Copies and compares every stored file while the server uses both stores. A present copy is only
 * compared, so that a move can be restarted; a failed one does not stop the others. The old store
 * keeps its files.
 */
export async function moveFiles(
  { db }: Pick<Deps, 'db'>,
  { from, to }: { from: FileStore; to: FileStore },
  onProgress: (moved: Moved) => void,
): Promise<Moved> {
  const moved: Moved = { files: 0, copied: 0, bytes: 0, failed: 0 }
  const { storageKey } = storedFiles
  let failuresInRow = 0
  for (let after = ''; ; ) {
    const found = await db
      .select({ storageKey })
      .from(storedFiles)
      .where(gt(storageKey, after))
      .orderBy(asc(storageKey))
      .limit(batchSize)
    const keys = found.map((file) => file.storageKey)
    for (const row of keys) {
      const isKnown = async () => (await db.$count(storedFiles, eq(storageKey, row))) > 0
      for await (const group of groups(row.endsWith('/') ? from.list(row) : [row])) {
        const done = await Promise.allSettled(group.map((key) => moveFile({ from, to, key, isKnown }, moved)))
        for (const outcome of done) {
          failuresInRow = outcome.status === 'fulfilled' ? 0 : failuresInRow + 1
          if (outcome.status === 'rejected') noteFailure(moved, outcome.reason)
        }
        if (failuresInRow >= maxFailuresInRow) return moved
      }
    }
    if (keys.length === 0) return moved
    onProgress(moved)
    after = keys.at(-1) ?? after
  }
}

function noteFailure(moved: Moved, error: unknown): void {
  moved.failed += 1
  moved.reason ??= reasonOf(error)
}

async function* groups(keys: Iterable<string> | AsyncIterable<string>): AsyncIterable<string[]> {
  let group: string[] = []
  for await (const key of keys) {
    group.push(key)
    if (group.length < concurrency) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

async function moveFile(
  { from, to, key, isKnown }: { from: FileStore; to: FileStore; key: string; isKnown: () => Promise<boolean> },
  moved: Moved,
): Promise<void> {
  const original = await hashOf(from, key)
  // The file was stored after the switch to the new store, or deleted meanwhile.
  if (!original) return
  if ((await hashOf(to, key))?.sha256 !== original.sha256) {
    const { body } = await from.stream(key)
    await to.put(key, body).catch(ignoreMissing)
    if ((await hashOf(to, key))?.sha256 !== original.sha256 && (await isKnown())) {
      throw new Error(`${key} differs in the new store`)
    }
    moved.copied += 1
    moved.bytes += original.bytes
  }
  moved.files += 1
  // The source may have been deleted before it was copied.
  if (!(await isKnown())) await to.delete([key])
}

async function hashOf(store: FileStore, key: string): Promise<{ sha256: string; bytes: number } | undefined> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of (await store.stream(key)).body) {
      hash.update(chunk)
      bytes += chunk.length
    }
  } catch (error) {
    return ignoreMissing(error)
  }
  return { sha256: hash.digest('hex'), bytes }
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'file.not_found') return undefined
  throw error
}
