import { and, eq } from 'drizzle-orm'
import { hasFactor } from '#server/auth/factors.ts'
import { sessions } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { addTime } from '#shared/time.ts'
import { spendAccountToken } from '../account-token.ts'
import { type Credentials, reauthenticate } from '../reauthentication.ts'

const enrolMinutes = 30

/** An attacker who only knows the password must not be able to add a factor. */
export async function sendFirstFactorLink(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: string,
  credentials: Credentials,
): Promise<void> {
  const reauthenticated = await reauthenticate(deps, userId, credentials)
  await transact(deps.db, async (tx) => {
    await reauthenticated.confirm(tx)
    if (await hasFactor(tx, userId)) throw appError('second_factor.already_on')
    await enqueueMail(tx, { template: 'first_factor', userId, now: deps.clock() })
  })
}

export async function openFirstFactorLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, sessionId, token }: { userId: string; sessionId: string; token: string },
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const spent = await spendAccountToken(tx, { token, purpose: 'first_factor', now })
    // The rollback restores the token, so that another user cannot use it up.
    if (spent?.userId !== userId) throw appError('auth.token_invalid')
    const mayEnrolUntil = addTime(now, { minutes: enrolMinutes })
    await tx.update(sessions).set({ mayEnrolUntil }).where(eq(sessions.id, sessionId))
  })
}

/**
 * The session must have shown a factor if the account has any; the first factor needs the mailed
 * link opened in this session.
 */
export async function requireFactorSetupAllowed(
  tx: Transaction,
  { userId, sessionId, now }: { userId: string; sessionId: string; now: Date },
): Promise<void> {
  const [session] = await tx
    .select({ secondFactorAt: sessions.secondFactorAt, mayEnrolUntil: sessions.mayEnrolUntil })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
  if (await hasFactor(tx, userId)) {
    if (!session?.secondFactorAt) throw appError('second_factor.proof_due')
  } else if (!session?.mayEnrolUntil || session.mayEnrolUntil <= now) throw appError('second_factor.link_due')
}
