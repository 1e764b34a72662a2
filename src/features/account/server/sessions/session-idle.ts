import type { Role } from '#contract/roles.ts'
import type { Config } from '#server/config.ts'

/**
 * Without a call for this long the sessions of people with a role end: an unlocked device lies
 * around no longer than a meeting lasts.
 */
const staffIdleMilliseconds = 2 * 3_600_000

/** Whether a session has ended because nobody used it. */
export function isIdle(
  { role, createdAt, lastSeenAt }: { role: Role; createdAt: Date; lastSeenAt: Date | null },
  now: Date,
  { sessionIdleDays }: Pick<Config, 'sessionIdleDays'>,
): boolean {
  const most = role === 'user' ? sessionIdleDays * 86_400_000 : staffIdleMilliseconds
  return now.getTime() - (lastSeenAt ?? createdAt).getTime() > most
}
