import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Language } from '#contract/language.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { oweMail } from '#server/mail/outbox.ts'
import type { registerInput } from '../contract.ts'
import { hashPassword } from './password-hash.ts'
import { users } from './table.ts'

/**
 * Opens an account and owes it the verification mail. An address that is known already gets a mail that says so, or the verification once more;
 * nothing in the answer, nor in the work done for it, tells the difference.
 */
export async function register(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  input: typeof registerInput.infer,
  language: Language,
): Promise<void> {
  const passwordHash = await hashPassword(input.password)
  const now = clock()
  const { name, email } = input
  const mailId = await transact(db, async (tx) => {
    const [created] = await tx
      .insert(users)
      .values({ id: uuid(), name, email, passwordHash, language, createdAt: now })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id })
    if (created) return oweMail(tx, { template: 'verify_email', userId: created.id, now })
    const [known] = await tx
      .select({ id: users.id, verified: users.emailVerifiedAt })
      .from(users)
      .where(eq(users.email, email))
    if (!known) return undefined
    return oweMail(tx, { template: known.verified ? 'address_in_use' : 'verify_email', userId: known.id, now })
  })
  if (mailId) await jobs.send('send-mail', { mailId })
}
