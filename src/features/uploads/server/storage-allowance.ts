import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { holdAccount } from '#server/auth/accounts.ts'
import { rows, type Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { createFairQueue } from '#server/fair-queue.ts'
import { appError } from '#server/http/app-error.ts'
import { storageLimits, uploadLimits } from '../rules.ts'
import { folderOf } from './find-upload.ts'
import { announceFiles } from './stored-files.ts'
import { storedFiles, uploads } from './table.ts'

/**
 * A request that waits for an account's lock holds a database connection; the queue leaves some to
 * others.
 */
const accountQueue = createFairQueue({ concurrency: 2, waiting: 400, waitingEach: 60 })
const creditMilliseconds = storageLimits.creditDays * 86_400_000

/**
 * A user's uploads start one after the other, so that concurrent ones are counted. Throws
 * `upload.limit` if too many are unused, and `upload.no_space`.
 */
export async function beginUpload(
  deps: Pick<Deps, 'db' | 'clock' | 'spentCredits'>,
  upload: typeof uploads.$inferInsert,
): Promise<void> {
  const { userId, bytes } = upload
  const now = deps.clock()
  const begin = async (tx: Transaction) => {
    await holdAccount(tx, userId)
    const unused = and(eq(uploads.userId, userId), isNull(uploads.usedAt), gt(uploads.expiresAt, now))
    if ((await tx.$count(uploads, unused)) >= uploadLimits.unused) {
      throw appError('upload.limit', { retryAfter: 600 })
    }
    await requireSpace(deps, tx, { userId, bytes, now })
    await insertUploads(tx, [upload])
  }
  await accountQueue.run(userId, () => transact(deps.db, begin))
}

export async function insertUploads(tx: Transaction, given: (typeof uploads.$inferInsert)[]): Promise<void> {
  if (given.length === 0) return
  await tx.insert(uploads).values(given)
  for (const { id, createdAt: now, expiresAt: deleteAt } of given) {
    await announceFiles(tx, { files: [{ storageKey: folderOf(id), bytes: 0 }], now, deleteAt })
  }
}

/**
 * Throws `upload.no_space` if uploads, used or not, and files kept by features would exceed the
 * storage; spent credits add space. The transaction must hold the lock of the account.
 */
export async function requireSpace(
  { spentCredits }: Pick<Deps, 'spentCredits'>,
  tx: Transaction,
  { userId, bytes, now }: { userId: string; bytes: number; now: Date },
): Promise<void> {
  const [found] = await rows<{ stored: number }>(
    tx,
    sql`select
      (select coalesce(sum(bytes), 0) from ${uploads} where user_id = ${userId}::uuid)::float8
      + (select coalesce(sum(bytes), 0) from ${storedFiles} where user_id = ${userId}::uuid)::float8 as stored`,
  )
  const spent = await spentCredits(tx, userId, new Date(now.getTime() - creditMilliseconds))
  const space = storageLimits.bytes + storageLimits.bytesPerCredit * spent
  if (Number(found?.stored ?? 0) + bytes > space) throw appError('upload.no_space')
}
