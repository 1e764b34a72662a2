import type { Config } from '#server/config.ts'
import type { Role } from '#shared/roles.ts'

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
