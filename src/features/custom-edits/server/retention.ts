import { inArray, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { linkDays } from '../rules.ts'
import { tellOfOverdue } from './notices.ts'
import { customEditFiles, customEdits } from './table.ts'

type Tools = Pick<Deps, 'db' | 'store' | 'clock'>

const day = 86_400_000
const batch = 200

/** Deletes the pictures of requests that ended so long ago that no link to them works any more. */
export async function deleteOldPictures({ db, store, clock }: Tools): Promise<void> {
  const before = new Date(clock().getTime() - linkDays * day)
  const old = db.select({ id: customEdits.id }).from(customEdits).where(lt(customEdits.finishedAt, before))
  const gone = await db
    .delete(customEditFiles)
    .where(inArray(customEditFiles.customEditId, old))
    .returning({ key: customEditFiles.storageKey })
  await store.delete(gone.map(({ key }) => key))
}

/**
 * Deletes stored pictures that no request knows: what a crash left between copying and committing.
 */
export async function sweepPictures({ db, store, clock }: Tools): Promise<void> {
  let keys: string[] = []
  const flush = async () => {
    if (keys.length === 0) return
    const { storageKey: key } = customEditFiles
    const known = await db.select({ key }).from(customEditFiles).where(inArray(key, keys))
    const owned = new Set(known.map((file) => file.key))
    await store.delete(keys.filter((candidate) => !owned.has(candidate)))
    keys = []
  }
  for await (const key of store.listOlderThan(new Date(clock().getTime() - day))) {
    if (!key.startsWith('custom-edits/')) continue
    keys.push(key)
    if (keys.length === batch) await flush()
  }
  await flush()
}

/** Repeats what has to be done for as long as the process lives. */
export async function workCustomEdits(deps: Deps): Promise<void> {
  await deps.jobs.every('delete-old-custom-edits', 6 * 3600, () => deleteOldPictures(deps))
  await deps.jobs.every('tell-of-overdue-custom-edits', 600, () => tellOfOverdue(deps))
  await deps.jobs.every('sweep-custom-edits', 6 * 3600, () => sweepPictures(deps))
}
