import { and, eq, lt } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { addressClass } from '#server/http/client-address.ts'
import type { SecurityEventKind } from '#shared/security-event.ts'
import { securityEvents } from './table.ts'

export const securityLogDays = 180

export interface SecurityEvent {
  kind: SecurityEventKind
  userId: string | null
  sessionId?: string | undefined
  /** Only the address's class is stored. */
  address: string
  detail?: string
}

type Tools = { db: Executor; clock: Deps['clock'] }

/** Inside a transaction the entry depends on its commit. */
export async function logSecurityEvent(
  { db, clock }: Tools,
  { kind, userId, sessionId, address, detail }: SecurityEvent,
): Promise<void> {
  await db.insert(securityEvents).values({
    kind,
    userId,
    sessionId: sessionId ?? null,
    addressClass: addressClass(address),
    detail: detail?.slice(0, 200) ?? null,
    createdAt: clock(),
  })
}

export async function sweepSecurityEvents({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - securityLogDays * 86_400_000)
  await db.delete(securityEvents).where(lt(securityEvents.createdAt, before))
}

/** For deleted accounts: the entries stay without their user. */
export async function detachSecurityEvents(tx: Transaction, userId: string): Promise<void> {
  const readings = and(eq(securityEvents.kind, 'account_read'), eq(securityEvents.detail, userId))
  await tx.update(securityEvents).set({ detail: null }).where(readings)
  await tx.update(securityEvents).set({ userId: null, sessionId: null }).where(eq(securityEvents.userId, userId))
}
