import { and, desc, eq, isNotNull, lt } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { addressClass } from '#server/http/client-address.ts'
import type { SecurityEventKind } from '#shared/security-event.ts'
import { addTime } from '#shared/time.ts'
import { auditLog, securityEvents } from './table.ts'

export const securityLog = {
  detach: detachSecurityEvents,
  note: logSecurityEvent,
  sweep: sweepSecurityEvents,
}

interface AuditSubject {
  kind: string
  id: string
}

interface AuditEntry {
  /** Null for the server itself. */
  actor: string | null
  /** `<subject>.<event>`, such as `account.status_changed`. */
  action: `${string}.${string}`
  subject: AuditSubject
  before?: unknown
  after?: unknown
  reason?: string | null
  now: Date
}

/** In the same transaction as the change: neither exists without the other. */
export async function audit(
  tx: Transaction,
  { actor, action, subject, before, after, reason, now }: AuditEntry,
): Promise<void> {
  await tx.insert(auditLog).values({
    actorId: actor,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    before: before ?? null,
    after: after ?? null,
    reason: reason ?? null,
    createdAt: now,
  })
}

/** Oldest first; the last 200. */
export async function auditTrail(
  executor: Executor,
  { subject, action }: { subject: AuditSubject; action: AuditEntry['action'] },
): Promise<ReturnType<typeof viewEntry>[]> {
  const found = await executor
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.subjectKind, subject.kind), eq(auditLog.subjectId, subject.id), eq(auditLog.action, action)))
    .orderBy(desc(auditLog.id))
    .limit(200)
  return found.map((entry) => viewEntry(entry)).reverse()
}

export async function hasActed(executor: Executor, subject: AuditSubject, actorId: string): Promise<boolean> {
  const { subjectKind, subjectId } = auditLog
  const entries = and(eq(subjectKind, subject.kind), eq(subjectId, subject.id), eq(auditLog.actorId, actorId))
  const found = await executor.select({ id: auditLog.id }).from(auditLog).where(entries).limit(1)
  return found.length > 0
}

/** For deleted accounts: the entries stay, reasons about the user are erased. */
export async function eraseReasons(tx: Transaction, subject: AuditSubject): Promise<void> {
  await tx
    .update(auditLog)
    .set({ reason: null })
    .where(and(eq(auditLog.subjectKind, subject.kind), eq(auditLog.subjectId, subject.id), isNotNull(auditLog.reason)))
}

export function viewEntry(row: typeof auditLog.$inferSelect, actorName: string | null = null) {
  const { id, actorId, action, subjectKind, subjectId, before, after, reason, createdAt } = row
  return {
    id,
    actorId,
    actorName,
    action,
    before,
    after,
    reason,
    subject: { kind: subjectKind, id: subjectId },
    createdAt: createdAt.toISOString(),
  }
}

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
async function logSecurityEvent(
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

async function sweepSecurityEvents({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = addTime(clock(), { days: -securityLogDays })
  await db.delete(securityEvents).where(lt(securityEvents.createdAt, before))
}

/** For deleted accounts: the entries stay without their user. */
async function detachSecurityEvents(tx: Transaction, userId: string): Promise<void> {
  const readings = and(eq(securityEvents.kind, 'account_read'), eq(securityEvents.detail, userId))
  await tx.update(securityEvents).set({ detail: null }).where(readings)
  await tx.update(securityEvents).set({ userId: null, sessionId: null }).where(eq(securityEvents.userId, userId))
}
