import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { totpSecrets } from '../table.ts'
import { keepUsedTotp } from './factor-removal.ts'
import { hasTotp } from './factors.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { openSecret } from './sealed-secret.ts'

export const periodSeconds = 30
/**
 * A code counts from a little before it is shown, for clocks differ, until this long after it was,
 * for people type.
 */
const seconds = { early: 5, late: periodSeconds }

/**
 * Whether the code is one of the app's now, or an unused recovery code. Each counts once; whoever
 * has one keeps the factor from being removed.
 */
export async function spendCode(
  tx: Transaction,
  config: Deps['config'],
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  if (!(await hasTotp(tx, userId))) return false
  const digits = code.replace(/\s/g, '')
  const spend = /^\d{6}$/.test(digits)
    ? spendTotpCode(tx, config, { userId, code: digits, now })
    : spendRecoveryCode(tx, config, { userId, code, now })
  if (!(await spend)) return false
  await keepUsedTotp(tx, { userId, now })
  return true
}

/** Whether the code is one of the app's now, which may be on already or not yet. */
export async function spendTotpCode(
  tx: Transaction,
  config: Deps['config'],
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const [row] = await tx.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)).for('update')
  if (!row) return false
  const totp = new TOTP({ secret: Secret.fromBase32(await openSecret(config, row.secret)), period: periodSeconds })
  const token = code.replace(/\s/g, '')
  const moments = [-seconds.late, 0, seconds.early].map((away) => now.getTime() + away * 1000)
  const shownAt = moments.find((timestamp) => totp.validate({ token, timestamp, window: 0 }) !== null)
  if (shownAt === undefined) return false
  const step = totp.counter({ timestamp: shownAt })
  // A code that was looked at over a shoulder is worth nothing once it was used.
  const used = await tx
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(and(eq(totpSecrets.userId, userId), or(isNull(totpSecrets.lastStep), lt(totpSecrets.lastStep, step))))
    .returning({ userId: totpSecrets.userId })
  return used.length > 0
}
