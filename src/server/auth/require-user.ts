import { and, eq, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { securityLog } from '#server/audit/audit.ts'
import type { Database } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'
import { type Guard, guardOf } from '#server/http/route.ts'
import { type Permission, permissionsOf } from '#shared/roles.ts'
import { factorRuleFor, requireActionDone, requireShownFactor } from './factors.ts'
import { recordUse } from './record-use.ts'
import { isIdle, readAccessToken } from './sessions.ts'
import { sessions, users } from './table.ts'

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
async function logStaffAccess(
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

const perHour = 30

/** Limited per hour, so that a user cannot flood the log. */
async function logRoleRefusal(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  refused: { userId: string; sessionId: string; address: string; detail: string },
): Promise<void> {
  const rule = { rule: 'security-log:account', subject: refused.userId, limit: perHour, seconds: 3600 }
  if (!(await isWithinRate(deps, [rule]))) return
  await securityLog.note(deps, { ...refused, kind: 'role_refused' })
}

const recordedMinutes = 5

type Tools = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>

/**
 * The database decides on each call, so that a sign-out, a new role or a disabled account takes
 * effect at once.
 */
export function requireUser(deps: Tools): Guard {
  return guard(deps, { actionFirst: true })
}

/** For every route of the admin area. */
export function requirePermission(deps: Tools, permission: Permission): Guard {
  return guard(deps, { permission, actionFirst: true })
}

/** Also allows users who still have to change a generated password. */
export function requireSession(deps: Tools): Guard {
  return guard(deps, { actionFirst: false })
}

function guard(deps: Tools, { permission, actionFirst }: { permission?: Permission; actionFirst: boolean }): Guard {
  const { config, db, clock } = deps
  const find = findSession(db)
  return guardOf({ permission, actionFirst }, async (c, next) => {
    const token = /^Bearer +([A-Za-z0-9._-]{1,4096})$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (!token) throw appError('auth.required')
    const now = clock()
    const sid = await readAccessToken(config, token, now)
    const [session] = await find.execute({ sid })
    if (session?.signedOutElsewhere) throw appError('auth.signed_out')
    if (!session || session.revokedAt || session.expiresAt <= now || isIdle(session, now, config))
      throw appError('auth.expired')
    if (session.disabledAt) throw appError('auth.disabled')
    const rule = factorRuleFor(config, c)
    await requireShownFactor(db, rule, session)
    const { id, name, email, role, duty } = session
    const who = { userId: id, sessionId: sid, address: c.var.address }
    if (permission && !permissionsOf(session).includes(permission)) {
      await logRoleRefusal(deps, { ...who, detail: `${c.req.method} ${routePath(c, -1)}` })
      throw appError('auth.forbidden')
    }
    if (actionFirst) requireActionDone(session, rule, permission !== undefined)
    c.set('user', { id, name, email, role, duty })
    c.set('sessionId', sid)
    await recordUse(deps, { last: session.lastSeenAt, now, minutes: recordedMinutes }, (isDue) =>
      db
        .update(sessions)
        .set({ lastSeenAt: now })
        .where(and(eq(sessions.id, sid), isDue(sessions.lastSeenAt))),
    )
    await next()
    if (permission && c.res.ok) await logStaffAccess(deps, c, who)
  })
}

/** Prepared, since it runs on every call. */
function findSession(db: Database) {
  return db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
      duty: users.duty,
      disabledAt: users.disabledAt,
      expiresAt: sessions.expiresAt,
      revokedAt: sessions.revokedAt,
      signedOutElsewhere: sessions.signedOutElsewhere,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      secondFactorAt: sessions.secondFactorAt,
      passwordChangeDue: users.passwordChangeDue,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sql.placeholder('sid')))
    .prepare('find_session')
}
