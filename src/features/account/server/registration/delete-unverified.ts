import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import type { Deps } from '#server/deps.ts'

const days = 7
const batchSize = 200

/**
 * Deletes accounts not verified within a week. No user ever signed in to them, so the ledger has no
 * entries of them.
 */
export async function deleteUnverified(
  { db, clock, mailer }: Pick<Deps, 'db' | 'clock' | 'mailer'>,
  signal?: AbortSignal,
): Promise<void> {
  const forgotten = and(
    isNull(users.emailVerifiedAt),
    isNull(users.deletedAt),
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
