import { eq } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { identities } from '../table.ts'

/**
 * Once a second visitor claims an unverified address, either may be an attacker who waits for the
 * owner. The visitor who opens the mailed link chooses a password.
 */
export async function removeSignInMethods(tx: Transaction, userId: string): Promise<void> {
  await tx.update(users).set({ passwordHash: null }).where(eq(users.id, userId))
  await tx.delete(identities).where(eq(identities.userId, userId))
}
