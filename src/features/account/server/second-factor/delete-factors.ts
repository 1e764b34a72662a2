import { and, eq, lte } from 'drizzle-orm'
import { lockFactors } from '#server/auth/factors.ts'
import { passkeys, totpSecrets } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { recoveryCodes } from '../table.ts'

/** Deletes all factors, or those due for removal. Recovery codes go with the app. */
export async function deleteFactors(
  tx: Transaction,
  userId: string,
  dueBy?: Date,
): Promise<{ totp: boolean; passkeys: number }> {
  await lockFactors(tx, userId)
  const those = (table: typeof passkeys | typeof totpSecrets) =>
    and(eq(table.userId, userId), dueBy && lte(table.removalDueAt, dueBy))
  const keys = await tx.delete(passkeys).where(those(passkeys)).returning({ id: passkeys.id })
  const apps = await tx
    .delete(totpSecrets)
    .where(those(totpSecrets))
    .returning({ confirmedAt: totpSecrets.confirmedAt })
  if (apps.length > 0 || !dueBy) await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return { totp: apps.some(({ confirmedAt }) => confirmedAt !== null), passkeys: keys.length }
}
