import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import type { Role } from '#shared/roles.ts'
import { sessions, users } from './table.ts'

/** Limits the risk of an unlocked device to about the length of a meeting. */
const staffIdleMilliseconds = 2 * 3_600_000

export function isIdle(
  { role, createdAt, lastSeenAt }: { role: Role; createdAt: Date; lastSeenAt: Date | null },
  now: Date,
  { sessionIdleDays }: Pick<Config, 'sessionIdleDays'>,
): boolean {
  const maxIdleMilliseconds = role === 'user' ? sessionIdleDays * 86_400_000 : staffIdleMilliseconds
  return now.getTime() - (lastSeenAt ?? createdAt).getTime() > maxIdleMilliseconds
}

/** For connections that outlive a request. */
export async function isSessionAlive(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  sessionId: string,
): Promise<boolean> {
  const now = clock()
  const [found] = await db
    .select({ role: users.role, createdAt: sessions.createdAt, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sessionId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        isNull(users.disabledAt),
      ),
    )
  return found !== undefined && !isIdle(found, now, config)
}
