import { createHmac, randomInt } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { accountTokens } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { verificationCodeMinutes } from '../../rules.ts'
import { makeAccountToken } from '../account-token.ts'

type Secret = Pick<Config, 'jwtSecret'>

/**
 * A mailed link, and six digits for the device of the registration; the first use spends both. The
 * code is valid for minutes, only the newest mail's counts. Only hashes are stored.
 */
export async function makeVerification(
  executor: Executor,
  config: Secret,
  { userId, now }: { userId: string; now: Date },
): Promise<{ token: string; code: string }> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await executor
    .update(accountTokens)
    .set({ codeHash: null })
    .where(and(eq(accountTokens.userId, userId), eq(accountTokens.purpose, 'verify_email')))
  const token = await makeAccountToken(executor, {
    userId,
    purpose: 'verify_email',
    now,
    codeHash: codeHash(config, userId, code),
  })
  return { token, code }
}

/** Also spends the link; of two concurrent requests only one succeeds. */
export async function spendVerificationCode(
  tx: Transaction,
  config: Secret,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const spent = await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(accountTokens.userId, userId),
        eq(accountTokens.purpose, 'verify_email'),
        eq(accountTokens.codeHash, codeHash(config, userId, code)),
        isNull(accountTokens.usedAt),
        gt(accountTokens.createdAt, new Date(now.getTime() - verificationCodeMinutes * 60_000)),
      ),
    )
    .returning({ hash: accountTokens.hash })
  return spent.length > 0
}

function codeHash({ jwtSecret }: Secret, userId: string, code: string): string {
  return createHmac('sha256', jwtSecret).update(`verification:${userId}:${code}`).digest('base64url')
}
