import type { SQL } from 'drizzle-orm'
import { type StoredInput, uploads } from '#features/uploads/server/uploads.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { customEditFiles } from './table.ts'

type NewFile = typeof customEditFiles.$inferInsert

/** The copies outlive the uploads; a failure leaves none. The transaction inserts their rows. */
export async function storeFiles(
  { db, store }: Pick<Deps, 'db' | 'store'>,
  customEditId: string,
  { role, files, from = 0, now }: { role: NewFile['role']; files: StoredInput[]; from?: number; now: Date },
): Promise<NewFile[]> {
  const rows = files.map(({ name, contentType, width, height, bytes }, index) => {
    const id = crypto.randomUUID()
    const storageKey = `custom-edits/${customEditId}/${id}`
    return {
      id,
      customEditId,
      role,
      position: from + index,
      storageKey,
      name,
      contentType,
      width,
      height,
      bytes,
      createdAt: now,
    }
  })
  await uploads.announceFiles(db, { files: rows, now })
  const copies = rows.map(({ storageKey }, index) => store.copy(files[index]?.storageKey ?? '', storageKey))
  const outcomes = await Promise.allSettled(copies)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) return rows
  await store.delete(rows.map(({ storageKey }) => storageKey)).catch(() => {})
  throw failure.reason
}

export async function insertFiles(tx: Transaction, userId: string, files: NewFile[], now: Date): Promise<void> {
  if (files.length === 0) return
  await uploads.keepFiles(tx, { userId, files, now })
  await tx.insert(customEditFiles).values(files)
}

/** Returns storage keys of files and thumbnails to delete after the commit. */
export async function deleteFiles(tx: Transaction, which: SQL | undefined, now: Date): Promise<string[]> {
  const rows = await tx.delete(customEditFiles).where(which).returning()
  const keys = rows.flatMap(({ storageKey, thumbnailKey }) =>
    thumbnailKey ? [storageKey, thumbnailKey] : [storageKey],
  )
  return await uploads.dropFiles(
    tx,
    keys.map((storageKey) => ({ storageKey })),
    now,
  )
}
