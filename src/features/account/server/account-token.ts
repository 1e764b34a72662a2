import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import { accountTokens } from './table.ts'

export type AccountTokenPurpose = (typeof accountTokens.$inferSelect)['purpose']

const minutes: Record<AccountTokenPurpose, number> = { verify_email: 24 * 60, reset_password: 60 }

/** Makes a single-use token for a link; only its hash is kept. */
export async function makeAccountToken(
  executor: Executor,
  { userId, purpose, now }: { userId: string; purpose: AccountTokenPurpose; now: Date },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + minutes[purpose] * 60_000)
  await executor.insert(accountTokens).values({ hash: tokenHash(token), userId, purpose, createdAt: now, expiresAt })
  return token
}

/** Uses a token up; undefined when it is unknown, used or too old. Of two requests at the same time one gets it. */
export async function spendAccountToken(
  tx: Transaction,
  { token, purpose, now }: { token: string; purpose: AccountTokenPurpose; now: Date },
): Promise<{ userId: string } | undefined> {
  const [spent] = await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(accountTokens.hash, tokenHash(token)),
        eq(accountTokens.purpose, purpose),
        isNull(accountTokens.usedAt),
        gt(accountTokens.expiresAt, now),
      ),
    )
    .returning({ userId: accountTokens.userId })
  return spent
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
