import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { securityLog } from '#features/audit/server/audit.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'

interface Staff {
  userId: string
  sessionId: string
  address: string
}

const accounts = '/api/admin/users'

/**
 * Writes changes, exports and reads to the security log. Reads of the same account count once an
 * hour, since screens reload often.
 */
export async function logStaffAccess(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  c: Context<UserEnv>,
  who: Staff,
): Promise<void> {
  const route = routePath(c, -1)
  const call = `${c.req.method} ${route}`
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
    await securityLog.note(deps, { ...who, kind: 'staff_action', detail: call })
  } else if (c.res.headers.get('content-type')?.startsWith('text/csv')) {
    await securityLog.note(deps, { ...who, kind: 'staff_export', detail: call })
  } else if (route === accounts || route.startsWith(`${accounts}/`)) {
    const detail = c.req.param('id') ?? call
    const once = { rule: 'account-read', subject: `${who.sessionId} ${detail}`, limit: 1, seconds: 3600 }
    if (await isWithinRate(deps, [once])) {
      await securityLog.note(deps, { ...who, kind: 'account_read', detail })
    }
  }
}
