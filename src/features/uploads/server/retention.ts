import { inArray, lte } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { sweepFiles } from './stored-files.ts'
import { uploads } from './table.ts'

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'jobs'>

/** Deletes expired uploads, and files of any feature that no row keeps. */
export async function workUploads(deps: RetentionDeps): Promise<void> {
  await deps.jobs.every('sweep-files', 600, async (signal) => {
    await deleteExpiredUploads(deps)
    await sweepFiles(deps, signal)
  })
}

/** Their files expire at the same time on their own. */
export async function deleteExpiredUploads({ db, clock }: Pick<RetentionDeps, 'db' | 'clock'>): Promise<void> {
  const expired = db.select({ id: uploads.id }).from(uploads).where(lte(uploads.expiresAt, clock()))
  await db.delete(uploads).where(inArray(uploads.id, expired))
}
