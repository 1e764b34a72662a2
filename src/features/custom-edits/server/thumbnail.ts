import { eq } from 'drizzle-orm'
import { generations } from '#features/generations/server/generations.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { customEditFiles, customEdits } from './table.ts'

type File = typeof customEditFiles.$inferSelect

/** Made when a list first shows it. While the engine is unavailable the file itself is shown. */
export async function thumbnailOf(
  deps: Pick<Deps, 'db' | 'store' | 'clock' | 'jobs' | 'notifier'>,
  file: File,
): Promise<Pick<File, 'storageKey' | 'contentType'>> {
  const small = (storageKey: string) => ({ storageKey, contentType: 'image/webp' })
  if (file.thumbnailKey) return small(file.thumbnailKey)
  const made = `custom-edits/${file.customEditId}/${crypto.randomUUID()}`
  try {
    await generations.makeThumbnail(deps, file, made)
  } catch {
    return file
  }
  const kept = await storeThumbnail(deps, file.id, made)
  if (kept !== made) await deps.store.delete([made])
  return small(kept)
}

/** Of two concurrent thumbnails the first wins. */
async function storeThumbnail({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string, made: string): Promise<string> {
  return await transact(db, async (tx) => {
    const [row] = await tx
      .select({ thumbnailKey: customEditFiles.thumbnailKey, userId: customEdits.userId })
      .from(customEditFiles)
      .innerJoin(customEdits, eq(customEdits.id, customEditFiles.customEditId))
      .where(eq(customEditFiles.id, id))
      .for('update')
    if (!row) throw appError('file.not_found')
    if (row.thumbnailKey) return row.thumbnailKey
    await uploads.keepFiles(tx, { userId: row.userId, files: [{ storageKey: made }], now: clock() })
    await tx.update(customEditFiles).set({ thumbnailKey: made }).where(eq(customEditFiles.id, id))
    return made
  })
}
