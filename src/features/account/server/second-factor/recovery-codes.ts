import { createHmac, randomInt } from 'node:crypto'
import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { recoveryCodes } from '../table.ts'

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
export async function spendRecoveryCode(
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
