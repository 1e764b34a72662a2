import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { hashPassword } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { brandName } from '#shared/brand.ts'

/**
 * Returns the password if it was generated; it was printed, so it must be changed at the first
 * sign-in. An account that a visitor registered under the address stays unchanged: making it the
 * admin would hand the server over.
 */
export async function ensureFirstAdmin({
  db,
  clock,
  config,
  log,
}: Pick<Deps, 'db' | 'clock' | 'config' | 'log'>): Promise<{ email: string; password?: string } | undefined> {
  const hasAdmin = async () => (await db.$count(users, eq(users.role, 'admin'))) > 0
  if (await hasAdmin()) return undefined
  const { email, password: given } = config.admin
  const password = given ?? makePassword()
  const passwordHash = await hashPassword({ config }, password, email)
  const now = clock()
  const created = await transact(db, (tx) =>
    tx
      .insert(users)
      .values({
        id: uuid(),
        name: `${brandName} Admin`,
        email,
        passwordHash,
        role: 'admin',
        passwordChangeDue: given === undefined,
        emailVerifiedAt: now,
        createdAt: now,
      })
      .onConflictDoNothing({ target: users.email })
      .returning({ id: users.id }),
  )
  if (created.length === 0) {
    // Another starting process may have been faster.
    if (await hasAdmin()) return undefined
    log.warn('there is no admin, and ADMIN_EMAIL already belongs to a user; set it to another address')
    return undefined
  }
  return given === undefined ? { email, password } : { email }
}

/** Twenty unambiguous characters (over 110 bits) that satisfy the rules for passwords. */
export function makePassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const random = Array.from({ length: 18 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${random}aA2!`
}
