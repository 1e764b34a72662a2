import { eq } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'
import { identities, users } from '../table.ts'

/**
 * For an account whose address nobody has shown to be theirs, once somebody else claims it too: one
 * of them may be a stranger who came first to wait for the owner. Nothing with which either could
 * get in stays good; whoever opens the mailed link chooses a password.
 */
export async function removeSignInMethods(tx: Transaction, userId: string): Promise<void> {
  await tx.update(users).set({ passwordHash: null }).where(eq(users.id, userId))
  await tx.delete(identities).where(eq(identities.userId, userId))
}
