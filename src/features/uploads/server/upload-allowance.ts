import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { uploadLimits } from '../contract.ts'
import { uploads } from './table.ts'

/**
 * Throws `upload.limit` when so many more bytes would be too much for one person's unused uploads.
 */
export async function requireAllowance(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: string,
  bytes: number,
): Promise<void> {
  const [unused] = await db
    .select({ count: count(), bytes: sql<string>`coalesce(sum(${uploads.bytes}), 0)` })
    .from(uploads)
    .where(and(eq(uploads.userId, userId), isNull(uploads.usedAt), gt(uploads.expiresAt, clock())))
  const full =
    (unused?.count ?? 0) >= uploadLimits.unused || Number(unused?.bytes ?? 0) + bytes > uploadLimits.unusedBytes
  if (full) throw new AppError('upload.limit', { retryAfter: 600 })
}
