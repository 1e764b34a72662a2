import { createHmac, randomInt } from 'node:crypto'
import { and, count, eq, inArray, isNull, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { hasTotp } from '#server/auth/factors.ts'
import { totpSecrets } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { unsealSecret } from '#server/sealed-secret.ts'
import { recoveryCodes } from '../table.ts'
import { keepUsedTotp } from './factor-removal.ts'

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

const codeCount = 10
/** Unambiguous characters; ten of them have 49 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Makes ten single-use codes, replacing older ones. Only their keyed hashes are stored. */
export async function makeRecoveryCodes(
  tx: Transaction,
  config: Pick<Config, 'jwtSecret'>,
  userId: string,
): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  const codes = Array.from({ length: codeCount }, () => {
    const text = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, hash: codeHash(config, userId, code) })))
  return codes
}

/** Of two concurrent requests only one succeeds. */
async function spendRecoveryCode(
  tx: Transaction,
  config: Pick<Config, 'jwtSecret' | 'previousJwtSecret'>,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const keys = [config.jwtSecret, config.previousJwtSecret].filter((key) => key !== undefined)
  const hashes = keys.map((jwtSecret) => codeHash({ jwtSecret }, userId, code))
  const spent = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.hash, hashes), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash })
  return spent.length > 0
}

export async function countRecoveryCodes(executor: Executor, userId: string): Promise<number> {
  const [left] = await executor
    .select({ count: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return left?.count ?? 0
}

function codeHash({ jwtSecret }: Pick<Config, 'jwtSecret'>, userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  return createHmac('sha256', jwtSecret).update(`recovery:${userId}:${plain}`).digest('base64url')
}
