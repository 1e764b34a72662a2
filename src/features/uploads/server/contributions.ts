import { asc, count, eq, inArray, isNull, lte } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { MetricSource } from '#server/metrics.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { contentKey, folderOf } from './find-upload.ts'
import { dropFiles, sweepFiles } from './stored-files.ts'
import { uploads } from './table.ts'

const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    const mine = await db.select().from(uploads).where(eq(uploads.userId, userId)).orderBy(asc(uploads.id))
    if (mine.length === 0) return
    yield jsonFile(
      'uploads/uploads.json',
      mine.map(({ userId: _, parts: __, ...upload }) => upload),
    )
    for (const { id, status, name, createdAt: modified } of mine) {
      if (status !== 'ready') continue
      // The upload may expire while the archive is being read.
      const file = await store.stream(contentKey(id)).catch(() => undefined)
      if (file) yield { name: `uploads/${id}-${name}`, content: file.body, modified }
    }
  },

  async erase(tx, { userId, now }) {
    const gone = await tx.delete(uploads).where(eq(uploads.userId, userId)).returning({ id: uploads.id })
    return await dropFiles(
      tx,
      gone.map(({ id }) => ({ storageKey: folderOf(id) })),
      now,
    )
  },
}

const uploadMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_uploads',
    help: 'Unused uploads by status',
    labels: ['status'],
    async read({ db }) {
      const { status, usedAt } = uploads
      const rows = await db.select({ status, open: count() }).from(uploads).where(isNull(usedAt)).groupBy(status)
      return rows.map(({ status, open }) => ({ labels: { status }, value: open }))
    },
  },
]

export const uploadContributions = { metrics: uploadMetrics, personalData, work: workUploads }

type RetentionDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'jobs'>

/** Deletes expired uploads, and files of any feature that no row keeps. */
async function workUploads(deps: RetentionDeps): Promise<void> {
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
