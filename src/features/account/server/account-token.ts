import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, notInArray } from 'drizzle-orm'
import { accountTokens } from '#server/auth/table.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { withdrawMails } from '#server/mail/outbox.ts'
import { addTime } from '#shared/time.ts'

export type AccountTokenPurpose = (typeof accountTokens.$inferSelect)['purpose']

const minutes: Record<AccountTokenPurpose, number> = {
  verify_email: 24 * 60,
  reset_password: 60,
  change_email: 24 * 60,
  confirm: 10,
  sign_in: 1,
  second_factor: 10,
  first_factor: 60,
  // Longer than the delay of any removal.
  keep_factors: 8 * 24 * 60,
  // As long as the link that this device waits for.
  registered: 24 * 60,
  // Longer than any wait for a guardian.
  guardian_consent: 60 * 24 * 60,
  // As long as the account may need the consent.
  guardian_revocation: 20 * 366 * 24 * 60,
}

/**
 * Stores only the token's hash. `email` is the new address of `change_email` or the guardian's,
 * `remember` the length of the session, `codeHash` the hash of a code that spends the same token.
 */
export async function makeAccountToken(
  executor: Executor,
  {
    userId,
    purpose,
    email,
    remember,
    codeHash,
    now,
  }: {
    userId: string
    purpose: AccountTokenPurpose
    email?: string | undefined
    remember?: boolean
    codeHash?: string
    now: Date
  },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = addTime(now, { minutes: minutes[purpose] })
  await executor
    .insert(accountTokens)
    .values({ hash: tokenHash(token), userId, purpose, email, remember, codeHash, createdAt: now, expiresAt })
  return token
}

/** Returns undefined if the token is unknown, used or expired; does not spend it. */
export async function readAccountToken(
  executor: Executor,
  { token, purpose, now }: { token: string; purpose: AccountTokenPurpose; now: Date },
): Promise<{ userId: string } | undefined> {
  const [known] = await executor
    .select({ userId: accountTokens.userId })
    .from(accountTokens)
    .where(usable({ token, purpose, now }))
  return known
}

/**
 * Returns undefined if the token is unknown, used or expired. Of two concurrent requests only one
 * succeeds.
 */
export async function spendAccountToken(
  tx: Transaction,
  { token, purpose, now }: { token: string; purpose: AccountTokenPurpose; now: Date },
): Promise<{ userId: string; email: string | null; remember: boolean | null } | undefined> {
  const [spent] = await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(usable({ token, purpose, now }))
    .returning({ userId: accountTokens.userId, email: accountTokens.email, remember: accountTokens.remember })
  return spent
}

/**
 * Invalidates all tokens and the mails that would create new ones: an attacker may have requested
 * them. Links that only keep existing factors, and those of a guardian, stay valid.
 */
export async function voidLinks(tx: Transaction, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await tx
    .update(accountTokens)
    .set({ usedAt: now })
    .where(
      and(
        eq(accountTokens.userId, userId),
        isNull(accountTokens.usedAt),
        notInArray(accountTokens.purpose, ['keep_factors', 'guardian_consent', 'guardian_revocation']),
      ),
    )
  await withdrawMails(tx, userId, ['reset_password', 'verify_new_email', 'first_factor'])
}

function usable({ token, purpose, now }: { token: string; purpose: AccountTokenPurpose; now: Date }) {
  return and(
    eq(accountTokens.hash, tokenHash(token)),
    eq(accountTokens.purpose, purpose),
    isNull(accountTokens.usedAt),
    gt(accountTokens.expiresAt, now),
  )
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
