import { and, asc, eq, isNull, lt, type SQL } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { readAge } from '#server/auth/age.ts'
import { guardianConsents, users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { dayMilliseconds } from '#server/db/days.ts'
import { transact } from '#server/db/transact.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { decideClosing, eraseClosing, findClosing } from './close-account.ts'

const batchSize = 500

/** Reminds once, closes accounts that stay without consent, and ends what a dead process began. */
export async function workGuardians(deps: AccountDeps, signal?: AbortSignal): Promise<void> {
  await sweepOpen(deps, signal)
  for (const userId of await findClosing(deps)) {
    signal?.throwIfAborted()
    // A gateway that cannot cancel an order, for example, must not hold up the others.
    await eraseClosing(deps, userId).catch((error: unknown) =>
      deps.log.error({ err: error, userId }, 'could not erase a closed account'),
    )
  }
}

async function sweepOpen(deps: AccountDeps, signal?: AbortSignal): Promise<void> {
  const { age } = deps.config
  if (!age?.needsGuardian) return
  const now = deps.clock()
  const before = new Date(now.getTime() - age.guardianDays * dayMilliseconds)
  const open = isNull(guardianConsents.givenAt)
  const silent = and(open, lt(guardianConsents.waitingSince, before), isNull(guardianConsents.remindedAt))
  // Counted from the reminder, so that a server that was off closes nothing by surprise.
  const late = and(open, lt(guardianConsents.remindedAt, before))
  await forEachOpen(deps, { condition: silent, now, signal }, remind)
  await forEachOpen(deps, { condition: late, now, signal }, (tx, { userId }) =>
    decideClosing(tx, { userId, reason: 'guardian_silent', now }),
  )
}

type OpenConsent = typeof guardianConsents.$inferSelect

async function remind(tx: Transaction, { id, userId, guardianEmail }: OpenConsent, now: Date): Promise<void> {
  await tx.update(guardianConsents).set({ remindedAt: now }).where(eq(guardianConsents.id, id))
  if (guardianEmail !== null)
    await enqueueMail(tx, { template: 'guardian_reminder', userId, recipient: guardianEmail, now })
  await enqueueMail(tx, { template: 'guardian_waiting', userId, now })
}

/** Checks the condition again with the account locked: the guardian may decide meanwhile. */
async function forEachOpen(
  { db, config }: AccountDeps,
  { condition, now, signal }: { condition: SQL | undefined; now: Date; signal: AbortSignal | undefined },
  act: (tx: Transaction, consent: OpenConsent, now: Date) => Promise<void>,
): Promise<void> {
  const found = await db
    .select({ id: guardianConsents.id, userId: guardianConsents.userId })
    .from(guardianConsents)
    .innerJoin(users, and(eq(users.id, guardianConsents.userId), isNull(users.disabledAt)))
    .where(condition)
    .orderBy(asc(guardianConsents.waitingSince))
    .limit(batchSize)
  for (const { id, userId } of found) {
    signal?.throwIfAborted()
    await transact(db, async (tx) => {
      const able = and(eq(users.id, userId), isNull(users.disabledAt))
      const [user] = await tx.select({ id: users.id }).from(users).where(able).for('update')
      const [consent] = await tx
        .select()
        .from(guardianConsents)
        .where(and(eq(guardianConsents.id, id), condition))
      if (!user || !consent) return
      const standing = await readAge(tx, config, { userId, now })
      // Grown up, or staff now.
      if (standing?.guardian === 'not_needed') await tx.delete(guardianConsents).where(eq(guardianConsents.id, id))
      else await act(tx, consent, now)
    })
  }
}
