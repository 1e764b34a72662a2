import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { hasTotp } from '#server/auth/factors.ts'
import { totpSecrets } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { unsealSecret } from '#server/sealed-secret.ts'
import { keepUsedTotp } from './factor-removal.ts'
import { spendRecoveryCode } from './recovery-codes.ts'

export const periodSeconds = 30
/** Seconds before the period, since clocks differ, and after it, since typing takes time. */
const seconds = { early: 5, late: periodSeconds }

/**
 * Accepts a current code of the app or an unused recovery code, each once; cancels the factor's
 * scheduled removal.
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

/** Accepts unconfirmed apps too. */
export async function spendTotpCode(
  tx: Transaction,
  config: Deps['config'],
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const [row] = await tx.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)).for('update')
  if (!row) return false
  const totp = new TOTP({
    secret: Secret.fromBase32(await unsealSecret(config, 'second factor', row.secret)),
    period: periodSeconds,
  })
  const token = code.replace(/\s/g, '')
  const moments = [-seconds.late, 0, seconds.early].map((away) => now.getTime() + away * 1000)
  const shownAt = moments.find((timestamp) => totp.validate({ token, timestamp, window: 0 }) !== null)
  if (shownAt === undefined) return false
  const step = totp.counter({ timestamp: shownAt })
  // Refuses used codes: a code seen over the user's shoulder must be worthless.
  const used = await tx
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(and(eq(totpSecrets.userId, userId), or(isNull(totpSecrets.lastStep), lt(totpSecrets.lastStep, step))))
    .returning({ userId: totpSecrets.userId })
  return used.length > 0
}
