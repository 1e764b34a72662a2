import { and, asc, eq, isNull, lt } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { hashPassword, passwordMatches } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { isBirthYear, youngestAge } from '#shared/age.ts'
import type { Language } from '#shared/language.ts'
import { addTime } from '#shared/time.ts'
import type { registerInput } from '../../schemas.ts'
import { makeAccountToken } from '../account-token.ts'
import { refuseCommonPassword } from '../password/common-password.ts'
import { removeSignInMethods } from './verify-email.ts'

/**
 * Queues the verification mail. A known address gets a mail that says so, or the verification
 * again; neither the response nor the work reveals the difference. Registering an unverified
 * address with another password removes its password (see sign-in-methods.ts). Returns the token
 * with which the device continues (see verify-registered.ts).
 */
export async function register(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  input: typeof registerInput.infer,
  { language, address }: { language: Language; address: string },
): Promise<string> {
  const { db, clock } = deps
  const { name, email, password, birthYear = null } = input
  requireMinimumAge(deps, birthYear)
  await refuseCommonPassword(password, address, [name, email])
  const [before] = await db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.email, email))
  const same = await passwordMatches(deps, password, before?.passwordHash, address)
  const passwordHash = await hashPassword(deps, password, address)
  const now = clock()
  return await transact(db, async (tx) => {
    const owe = async (userId: string, template: 'verify_email' | 'address_in_use') => {
      await enqueueMail(tx, { template, userId, now })
      // Same work for a known address, with an expired token: registering must not sign in to its
      // account.
      const from = template === 'verify_email' ? now : new Date(0)
      return await makeAccountToken(tx, { userId, purpose: 'registered', now: from })
    }
    const [created] = await tx
      .insert(users)
      .values({ id: uuid(), name, email, passwordHash, language, birthYear, birthYearDueAt: now, createdAt: now })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id })
    if (created) return owe(created.id, 'verify_email')
    const [known] = await tx
      .select({
        id: users.id,
        verified: users.emailVerifiedAt,
        passwordHash: users.passwordHash,
        birthYear: users.birthYear,
      })
      .from(users)
      .where(eq(users.email, email))
      .for('update')
    if (!known) throw appError('server.unavailable')
    if (known.verified) return owe(known.id, 'address_in_use')
    // Another year may be of another visitor: the owner of the address is asked after signing in.
    if (known.birthYear !== birthYear)
      await tx.update(users).set({ birthYear: null, birthYearDueAt: now }).where(eq(users.id, known.id))
    // A concurrent request may have registered the address, perhaps by a double tap.
    const stillSame =
      known.passwordHash === before?.passwordHash
        ? same
        : await passwordMatches(deps, password, known.passwordHash, address)
    if (!stillSame) await removeSignInMethods(tx, known.id)
    return owe(known.id, 'verify_email')
  })
}

/** Throws `age.below_minimum`, so that nothing about the child is stored. */
function requireMinimumAge({ config, clock }: Pick<Deps, 'clock' | 'config'>, birthYear: number | null): void {
  if (birthYear === null || !config.age) return
  const now = clock()
  if (!isBirthYear(birthYear, now)) throw appError('form.invalid', { details: { birthYear: 'age.year' } })
  if (youngestAge(birthYear, now) < config.age.minimum) throw appError('age.below_minimum')
}

const days = 7
const batchSize = 200

/**
 * Deletes accounts not verified within a week. No user ever signed in to them, so the ledger has no
 * entries of them.
 */
export async function deleteUnverified(
  { db, clock, mailer }: Pick<Deps, 'db' | 'clock' | 'mailer'>,
  signal?: AbortSignal,
): Promise<void> {
  const forgotten = and(
    isNull(users.emailVerifiedAt),
    isNull(users.deletedAt),
    eq(users.role, 'user'),
    isNull(users.disabledAt),
    lt(users.createdAt, addTime(clock(), { days: -days })),
  )
  for (;;) {
    signal?.throwIfAborted()
    const found = await db
      .select({ id: users.id })
      .from(users)
      .where(forgotten)
      .orderBy(asc(users.createdAt))
      .limit(batchSize)
    for (const { id } of found) {
      const gone = await db
        .delete(users)
        .where(and(forgotten, eq(users.id, id)))
        .returning({ id: users.id })
      if (gone.length > 0) await mailer.forget?.(id)
    }
    if (found.length < batchSize) return
  }
}
