import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { users } from '../table.ts'

const days = 7
const batchSize = 200

/**
 * Deletes accounts whose address nobody verified within a week, with everything that belongs to
 * them: nobody ever signed in to one, so the ledger knows none. Whoever opens the mailed link
 * meanwhile keeps theirs.
 */
export async function deleteUnverified(
  { db, clock, mailer }: Pick<Deps, 'db' | 'clock' | 'mailer'>,
  signal?: AbortSignal,
): Promise<void> {
  const forgotten = and(
    isNull(users.emailVerifiedAt),
    isNull(users.deletedAt),
    // Somebody whom an admin appointed or shut out is an admin's business.
    eq(users.role, 'user'),
    isNull(users.disabledAt),
    lt(users.createdAt, new Date(clock().getTime() - days * 86_400_000)),
  )
  for (;;) {
    signal?.throwIfAborted()
    const found = await db
      .select({ id: users.id })
      .from(users)
      .where(forgotten)
      .orderBy(asc(users.createdAt))
      .limit(batchSize)
    for (const { id } of found) {
      const gone = await db
        .delete(users)
        .where(and(forgotten, eq(users.id, id)))
        .returning({ id: users.id })
      if (gone.length > 0) await mailer.forget?.(id)
    }
    if (found.length < batchSize) return
  }
}
