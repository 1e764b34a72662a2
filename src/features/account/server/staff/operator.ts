import { randomInt } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { securityLog } from '#server/audit/audit.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { revokeSessions } from '#server/auth/sessions.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { brandName } from '#shared/brand.ts'
import { deleteFactors } from '../second-factor/factor-removal.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Sets a generated password, to be changed at the next sign-in. For the operator, without
 * authentication. Throws `account.not_found`.
 */
export async function setGeneratedPassword(tools: Tools, email: string): Promise<string> {
  const password = makePassword()
  const passwordHash = await hashPassword(tools, password, email)
  await change(tools, email, 'password_reset', 'password_changed', async (tx, userId) => {
    await tx.update(users).set({ passwordHash, passwordChangeDue: true }).where(eq(users.id, userId))
  })
  return password
}

/** The next factor needs the mailed link again. For the operator. Throws `account.not_found`. */
export async function removeAllFactors(tools: Tools, email: string): Promise<void> {
  await change(tools, email, 'factors_removed', 'factors_reset', deleteFactors)
}

async function change(
  { db, clock }: Tools,
  email: string,
  kind: 'password_reset' | 'factors_removed',
  template: 'password_changed' | 'factors_reset',
  work: (tx: Transaction, userId: string) => Promise<unknown>,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const address = email.trim().toLowerCase()
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.email, address), isNull(users.deletedAt)))
    if (!user) throw appError('account.not_found')
    await work(tx, user.id)
    await revokeSessions(tx, { userId: user.id, now })
    await securityLog.note({ db: tx, clock }, { kind, userId: user.id, address: 'local', detail: 'operator' })
    await enqueueMail(tx, { template, userId: user.id, now })
  })
}

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
function makePassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  const random = Array.from({ length: 18 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${random}aA2!`
}
