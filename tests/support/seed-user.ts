import { randomUUID } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { mailboxOf } from '#features/account/server/registration/canonical-address.ts'
import { grantWelcome } from '#features/credits/server/contributions.ts'
import { factorRuleFor } from '#server/auth/factors.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { openSession } from '#server/auth/sessions.ts'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import type { Duty, Role } from '#shared/roles.ts'

export const testPassword = 'Rahasia123!'
/** argon2's lowest cost; the true one would cost more than most tests. */
const testPasswordHash = '$argon2id$v=19$m=8,t=1,p=1$jsLqGc+FIjYG14ZMqqLOAg$4oavI6OlE9x7uxp9zagVplr0/O3Bv7jAZnlQixSuhx8'

export interface SeededUser {
  id: string
  name: string
  email: string
  password: string
  token: string
}

export type UserSeed = Partial<Pick<SeededUser, 'name' | 'email' | 'password'>> & {
  role?: Role
  duty?: Duty
  /** An adult's by default; null: not told. */
  birthYear?: number | null
}

/** Verified, with welcome credits and an open session, straight into the database. */
export async function seedUser(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  {
    name = 'Sari',
    email = `${randomUUID().slice(0, 8)}@contoh.id`,
    password = testPassword,
    role = 'user',
    duty,
    birthYear = 1990,
  }: UserSeed,
): Promise<SeededUser> {
  const id = uuid()
  const now = clock()
  const passwordHash = password === testPassword ? testPasswordHash : await hashPassword({ config }, password, 'seed')
  const token = await transact(db, async (tx) => {
    const times = { emailVerifiedAt: now, createdAt: now }
    await tx.insert(users).values({ id, name, email, passwordHash, role, duty, birthYear, ...times })
    await grantWelcome(tx, {
      userId: id,
      mailbox: mailboxOf(email, config),
      amount: config.welcomeCredits,
      perDomain: config.welcomesPerDomain,
      now,
    })
    const session = await openSession(tx, factorRuleFor(config, { var: { local: true } }), {
      user: { id, name, email, role },
      remember: false,
      userAgent: undefined,
      secondFactor: false,
      now,
    })
    return session.token
  })
  return { id, name, email, password, token }
}
