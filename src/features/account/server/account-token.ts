import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import { withdrawMails } from '#server/mail/outbox.ts'
import { accountTokens } from './table.ts'

export type AccountTokenPurpose = (typeof accountTokens.$inferSelect)['purpose']

const minutes: Record<AccountTokenPurpose, number> = {
  verify_email: 24 * 60,
  reset_password: 60,
  change_email: 24 * 60,
  confirm: 10,
}

/** Makes a single-use token for a link; only its hash is kept. `email` is the address that `change_email` is about. */
export async function makeAccountToken(
  executor: Executor,
  { userId, purpose, email, now }: { userId: string; purpose: AccountTokenPurpose; email?: string; now: Date },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + minutes[purpose] * 60_000)
  await executor
    .insert(accountTokens)
    .values({ hash: tokenHash(token), userId, purpose, email, createdAt: now, expiresAt })
  return token
}

/** Uses a token up; undefined when it is unknown, used or too old. Of two requests at the same time one gets it. */
export async function spendAccountToken(
  tx: Transaction,
  { token, purpose, now }: { token: string; purpose: AccountTokenPurpose; now: Date },
): Promise<{ userId: string; email: string | null } | undefined> {
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
    .returning({ userId: accountTokens.userId, email: accountTokens.email })
  return spent
}

/**
 * No link that was mailed so far does anything any more, nor will one that is still owed: whoever asked for them may be who the account is being
 * taken back from.
 */
export async function voidLinks(tx: Transaction, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(and(eq(accountTokens.userId, userId), isNull(accountTokens.usedAt)))
  await withdrawMails(tx, userId, ['reset_password', 'verify_new_email'])
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
