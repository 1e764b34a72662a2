import { inArray } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { fileReferences } from './table.ts'

/** A file in the store that a row of a feature knows, and whose space it takes. */
interface OwnedFile {
  storageKey: string
  bytes: number
}

/**
 * Notes whose stored files are, before the rows that know them are written. What no reference names
 * is deleted from the store after a day.
 */
export async function addReferences(
  tx: Transaction,
  { userId, files, now }: { userId: string; files: readonly OwnedFile[]; now: Date },
): Promise<void> {
  if (files.length === 0) return
  await tx
    .insert(fileReferences)
    .values(files.map(({ storageKey, bytes }) => ({ storageKey, userId, bytes, createdAt: now })))
}

/**
 * Forgets files whose rows the transaction has deleted, and returns their storage keys: the files
 * themselves go once it is committed.
 */
export async function dropReferences(
  tx: Transaction,
  files: readonly Pick<OwnedFile, 'storageKey'>[],
): Promise<string[]> {
  const keys = files.map(({ storageKey }) => storageKey)
  if (keys.length > 0) await tx.delete(fileReferences).where(inArray(fileReferences.storageKey, keys))
  return keys
}
