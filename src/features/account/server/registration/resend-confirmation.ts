import { and, eq, isNull } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { users } from '../table.ts'

/**
 * Owes another verification mail to an address that waits for one; does nothing for any other, and
 * does not tell.
 */
export async function resendConfirmation(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  email: string,
): Promise<void> {
  const mailId = await transact(db, async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, email), isNull(users.emailVerifiedAt), isNull(users.disabledAt)))
    return user && enqueueMail(tx, { template: 'verify_email', userId: user.id, now: clock() })
  })
  if (mailId) await jobs.send('send-mail', { mailId })
}
