import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import { account } from '#features/account/server/account.ts'
import type { AccountDeps } from '#server/account-hooks.ts'
import { audit } from '#server/audit/audit.ts'
import { revokeSessions } from '#server/auth/revoke-sessions.ts'
import { guardianConsents, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import type { ClosingReason } from '#shared/age.ts'

/**
 * Decides for good that the account closes, and ends its sessions. The erasure follows, by the
 * sweeper if this process dies first: an earlier or later decision never undoes it.
 */
export async function decideClosing(
  tx: Transaction,
  { userId, reason, now }: { userId: string; reason: ClosingReason; now: Date },
): Promise<void> {
  await tx.update(users).set({ closing: reason, disabledAt: now }).where(eq(users.id, userId))
  await revokeSessions(tx, { userId, now })
  await audit(tx, {
    actor: null,
    action: 'account.closed',
    subject: { kind: 'account', id: userId },
    after: { reason },
    now,
  })
}

const isClosing = and(isNotNull(users.closing), isNull(users.deletedAt))

/** By the account's own deletion: pictures, sessions and devices go, books stay without a name. */
export async function eraseClosing(deps: AccountDeps, userId: string): Promise<void> {
  await account.eraseAccount(deps, userId, async (tx) => {
    const [user] = await tx
      .select({ email: users.email })
      .from(users)
      .where(and(eq(users.id, userId), isClosing))
      .for('update')
    // Another process has erased it.
    if (!user) return undefined
    const [consent] = await tx
      .select({ email: guardianConsents.guardianEmail })
      .from(guardianConsents)
      .where(eq(guardianConsents.userId, userId))
      .orderBy(desc(guardianConsents.createdAt), desc(guardianConsents.id))
      .limit(1)
    const toGuardian = consent?.email ? [{ template: 'guardian_closed' as const, recipient: consent.email }] : []
    return [{ template: 'account_closed' as const, recipient: user.email }, ...toGuardian]
  })
}

export async function findClosing({ db }: Pick<Deps, 'db'>): Promise<string[]> {
  const found = await db.select({ id: users.id }).from(users).where(isClosing).limit(100)
  return found.map(({ id }) => id)
}
