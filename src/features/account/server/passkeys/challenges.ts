import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { tokenHash } from '../account-token.ts'
import { passkeyChallenges } from '../table.ts'

const minutes = 5

type Tools = { db: Executor; clock: Deps['clock'] }

/** With a user, only that account may respond. */
export async function storeChallenge({ db, clock }: Tools, challenge: string, userId: string | null): Promise<void> {
  const now = clock()
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now))
  const expiresAt = new Date(now.getTime() + minutes * 60_000)
  await db.insert(passkeyChallenges).values({ hash: tokenHash(challenge), userId, expiresAt })
}

/** True if this server issued it and it was unused. */
export async function spendChallenge({ db, clock }: Tools, challenge: string, userId: string | null): Promise<boolean> {
  const spent = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.hash, tokenHash(challenge)),
        userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
        gt(passkeyChallenges.expiresAt, clock()),
      ),
    )
    .returning({ hash: passkeyChallenges.hash })
  return spent.length > 0
}
