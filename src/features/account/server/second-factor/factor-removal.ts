import { and, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { securityLog } from '#server/audit/audit.ts'
import { forgetShownFactors, lockFactors } from '#server/auth/factors.ts'
import { passkeys, totpSecrets } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { addTime } from '#shared/time.ts'
import type { linkInput } from '../../schemas.ts'
import { spendAccountToken } from '../account-token.ts'
import { recoveryCodes } from '../table.ts'

// An attacker with the mailbox can set the password and remove second factors, since the owner may
// have lost them or the attacker may have added them. The removal is delayed by some days, so that
// the owner gets a notice and can keep them.

/** Passkeys have ids of their own. */
export const totpId = 'totp'

/**
 * Queues a notice; false if the account has none of the factors. A repeated request does not
 * postpone a scheduled removal.
 */
export async function requestRemoval(
  tx: Transaction,
  { factorRemovalHours }: Pick<Config, 'factorRemovalHours'>,
  { userId, factors, now }: { userId: string; factors: string[]; now: Date },
): Promise<boolean> {
  if (factors.length === 0) return false
  await lockFactors(tx, userId)
  const removalDueAt = addTime(now, { hours: factorRemovalHours })
  const keys = and(eq(passkeys.userId, userId), inArray(passkeys.id, factors), isNull(passkeys.removalDueAt))
  const due = await tx.update(passkeys).set({ removalDueAt }).where(keys).returning({ id: passkeys.id })
  if (factors.includes(totpId)) {
    const app = and(
      eq(totpSecrets.userId, userId),
      isNotNull(totpSecrets.confirmedAt),
      isNull(totpSecrets.removalDueAt),
    )
    due.push(...(await tx.update(totpSecrets).set({ removalDueAt }).where(app).returning({ id: totpSecrets.userId })))
  }
  if (due.length === 0) return false
  await enqueueMail(tx, { template: 'factor_removal_requested', userId, now })
  return true
}

/** Null if none is scheduled. */
export async function removalDue(executor: Transaction | Deps['db'], userId: string): Promise<Date | null> {
  const found = await union(
    executor.select({ at: passkeys.removalDueAt }).from(passkeys).where(eq(passkeys.userId, userId)),
    executor.select({ at: totpSecrets.removalDueAt }).from(totpSecrets).where(eq(totpSecrets.userId, userId)),
  )
  const moments = found.flatMap(({ at }) => (at ? [at.getTime()] : []))
  return moments.length === 0 ? null : new Date(Math.min(...moments))
}

export async function keepFactors(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { address }: { address: string },
  { token }: typeof linkInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const spent = await spendAccountToken(tx, { token, purpose: 'keep_factors', now })
    if (!spent) throw appError('auth.token_invalid')
    const { userId } = spent
    await lockFactors(tx, userId)
    await tx.update(passkeys).set({ removalDueAt: null }).where(eq(passkeys.userId, userId))
    await tx.update(totpSecrets).set({ removalDueAt: null }).where(eq(totpSecrets.userId, userId))
    await securityLog.note({ db: tx, clock }, { kind: 'factor_removal_cancelled', userId, address, detail: 'link' })
  })
}

/** A used app evidently belongs to its owner. Queues a notice. */
export async function keepUsedTotp(tx: Transaction, { userId, now }: { userId: string; now: Date }): Promise<void> {
  const kept = await tx
    .update(totpSecrets)
    .set({ removalDueAt: null })
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.removalDueAt)))
    .returning({ userId: totpSecrets.userId })
  if (kept.length > 0) await enqueueMail(tx, { template: 'factor_removal_cancelled', userId, now })
}

/** Like `keepUsedTotp`. */
export async function keepUsedPasskey(
  tx: Transaction,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<void> {
  const kept = await tx
    .update(passkeys)
    .set({ removalDueAt: null })
    .where(and(eq(passkeys.id, id), isNotNull(passkeys.removalDueAt)))
    .returning({ id: passkeys.id })
  if (kept.length > 0) await enqueueMail(tx, { template: 'factor_removal_cancelled', userId, now })
}

const batch = 100

/** Uses a transaction per account, together with the notice. */
export async function removeDueFactors(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  signal: AbortSignal = AbortSignal.timeout(60_000),
): Promise<void> {
  const now = clock()
  const due = await union(
    db.select({ userId: passkeys.userId }).from(passkeys).where(lte(passkeys.removalDueAt, now)),
    db.select({ userId: totpSecrets.userId }).from(totpSecrets).where(lte(totpSecrets.removalDueAt, now)),
  ).limit(batch)
  for (const { userId } of due) {
    if (signal.aborted) return
    await transact(db, async (tx) => {
      const gone = await deleteFactors(tx, userId, now)
      // The factor was used or kept meanwhile.
      if (!gone.totp && gone.passkeys === 0) return
      await forgetShownFactors(tx, userId)
      await securityLog.note(
        { db: tx, clock },
        { kind: 'factors_removed', userId, address: '127.0.0.1', detail: 'reset' },
      )
      await enqueueMail(tx, { template: 'factors_removed', userId, now })
    })
  }
}

/** Deletes all factors, or those due for removal. Recovery codes go with the app. */
export async function deleteFactors(
  tx: Transaction,
  userId: string,
  dueBy?: Date,
): Promise<{ totp: boolean; passkeys: number }> {
  await lockFactors(tx, userId)
  const those = (table: typeof passkeys | typeof totpSecrets) =>
    and(eq(table.userId, userId), dueBy && lte(table.removalDueAt, dueBy))
  const keys = await tx.delete(passkeys).where(those(passkeys)).returning({ id: passkeys.id })
  const apps = await tx
    .delete(totpSecrets)
    .where(those(totpSecrets))
    .returning({ confirmedAt: totpSecrets.confirmedAt })
  if (apps.length > 0 || !dueBy) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return { totp: apps.some(({ confirmedAt }) => confirmedAt !== null), passkeys: keys.length }
}
