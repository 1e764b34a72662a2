import { securityLog } from '#features/audit/server/audit.ts'
import type { Deps } from '#server/deps.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'

const perHour = 30

/** Limited per hour, so that a user cannot flood the log. */
export async function logRoleRefusal(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  refused: { userId: string; sessionId: string; address: string; detail: string },
): Promise<void> {
  const rule = { rule: 'security-log:account', subject: refused.userId, limit: perHour, seconds: 3600 }
  if (!(await isWithinRate(deps, [rule]))) return
  await securityLog.note(deps, { ...refused, kind: 'role_refused' })
}
