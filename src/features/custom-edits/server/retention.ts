import { inArray, lt } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { linkDays } from '../rules.ts'
import { mailOverdueRequests } from './notices.ts'
import { deleteFiles } from './store-files.ts'
import { customEditFiles, customEdits } from './table.ts'

type Tools = Pick<Deps, 'db' | 'store' | 'clock'>

const day = 86_400_000

export async function deleteOldPictures({ db, store, clock }: Tools): Promise<void> {
  const before = new Date(clock().getTime() - linkDays * day)
  const old = db.select({ id: customEdits.id }).from(customEdits).where(lt(customEdits.finishedAt, before))
  await store.delete(await transact(db, (tx) => deleteFiles(tx, inArray(customEditFiles.customEditId, old), clock())))
}

export async function workCustomEdits(deps: Deps): Promise<void> {
  await deps.jobs.every('delete-old-custom-edits', 6 * 3600, () => deleteOldPictures(deps))
  await deps.jobs.every('tell-of-overdue-custom-edits', 600, () => mailOverdueRequests(deps))
}
