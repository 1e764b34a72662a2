import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Language } from '#contract/language.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { registerInput } from '../../schemas.ts'
import { makeAccountToken } from '../account-token.ts'
import { refuseCommonPassword } from '../password/common-password.ts'
import { hashPassword, passwordMatches } from '../password/password-hash.ts'
import { removeSignInMethods } from '../sign-in/sign-in-methods.ts'
import { users } from '../table.ts'

/**
 * Opens an account and owes it the verification mail. An address that is known already gets a mail
 * that says so, or the verification once more; neither the response nor the work done for it shows
 * the difference. An address that waits for its verification and is registered with another
 * password has none from then on (see sign-in-methods.ts). Returns what the device goes on with
 * once the address is verified (see verify-registered.ts).
 */
export async function register(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  input: typeof registerInput.infer,
  { language, address }: { language: Language; address: string },
): Promise<string> {
  const { name, email, password } = input
  await refuseCommonPassword(password, address, [name, email])
  const [before] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.email, email))
  const same = await passwordMatches(password, before?.passwordHash, address)
  const passwordHash = await hashPassword(password, address)
  const now = clock()
  const { mailId, token } = await transact(db, async (tx) => {
    const owe = async (userId: string, template: 'verify_email' | 'address_in_use') => ({
      mailId: await enqueueMail(tx, { template, userId, now }),
      // Nobody gets into an account by registering its address: the same work for a token that is
      // too old from the start.
      token: await makeAccountToken(tx, {
        ...{ userId, purpose: 'registered' },
        now: template === 'verify_email' ? now : new Date(0),
      }),
    })
    const [created] = await tx
      .insert(users)
      .values({ id: uuid(), name, email, passwordHash, language, createdAt: now })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id })
    if (created) return owe(created.id, 'verify_email')
    const [known] = await tx
      .select({ id: users.id, verified: users.emailVerifiedAt, passwordHash: users.passwordHash })
      .from(users)
      .where(eq(users.email, email))
      .for('update')
    if (!known) throw appError('server.unavailable')
    if (known.verified) return owe(known.id, 'address_in_use')
    // Somebody may have been quicker by a moment, perhaps the same person by tapping twice.
    const stillSame =
      known.passwordHash === before?.passwordHash ? same : await passwordMatches(password, known.passwordHash, address)
    if (!stillSame) await removeSignInMethods(tx, known.id)
    return owe(known.id, 'verify_email')
  })
  await jobs.send('send-mail', { mailId })
  return token
}
