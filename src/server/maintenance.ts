import { eq } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import type { Executor } from './db/database.ts'
import type { Deps } from './deps.ts'
import { serviceState } from './health/table.ts'
import { appError } from './http/app-error.ts'

const name = 'maintenance'
const cacheMilliseconds = 2_000

export async function setMaintenance({ db, clock }: Pick<Deps, 'db' | 'clock'>, on: boolean): Promise<void> {
  if (!on) {
    await db.delete(serviceState).where(eq(serviceState.name, name))
    return
  }
  const row = { name, value: {}, updatedAt: clock() }
  await db.insert(serviceState).values(row).onConflictDoUpdate({ target: serviceState.name, set: row })
}

export async function isMaintenance({ db }: { db: Executor }): Promise<boolean> {
  return (await db.$count(serviceState, eq(serviceState.name, name))) > 0
}

/** For GET requests that change something, such as a link in a mail. */
export async function refuseChangeInMaintenance(deps: { db: Executor }): Promise<void> {
  if (await isMaintenance(deps)) throw inMaintenance()
}

const inMaintenance = () => appError('server.maintenance', { retryAfter: 60 })

/**
 * Refuses methods other than GET, with the time to retry: devices keep their uploads until then.
 * Staff's work continues. GET handlers that change something call `refuseChangeInMaintenance`.
 */
export function refuseInMaintenance(deps: Pick<Deps, 'db'>, isOfStaff: (path: string) => boolean): MiddlewareHandler {
  let known = { at: Number.NEGATIVE_INFINITY, on: Promise.resolve(false) }
  return async (c, next) => {
    if (!['GET', 'HEAD', 'OPTIONS'].includes(c.req.method) && !isOfStaff(c.req.path)) {
      const now = performance.now()
      if (now - known.at > cacheMilliseconds) known = { at: now, on: isMaintenance(deps) }
      if (await known.on) throw inMaintenance()
    }
    await next()
  }
}
