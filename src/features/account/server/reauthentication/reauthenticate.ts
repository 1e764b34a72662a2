import { eq } from 'drizzle-orm'
import { passwordMatches } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { spendAccountToken } from '../account-token.ts'

export interface Credentials {
  password?: string | undefined
  /** Token from a provider's window, for accounts without a password. */
  confirmation?: string | undefined
}

export interface Reauthenticated {
  user: typeof users.$inferSelect
  /**
   * Call this in the transaction of the action: a confirmation counts once, a password only while
   * it is unchanged.
   */
  confirm(tx: Transaction): Promise<void>
}

export async function reauthenticate(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: string,
  credentials: Credentials,
): Promise<Reauthenticated> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user || user.deletedAt) throw appError('auth.expired')
  const { password, confirmation } = credentials
  if (password === undefined && confirmation === undefined) {
    throw appError('form.invalid', { details: { password: 'password.required' } })
  }
  if (password !== undefined && !(await passwordMatches({ config }, password, user.passwordHash, userId))) {
    throw appError('auth.wrong_password')
  }
  return {
    user,
    async confirm(tx) {
      if (password !== undefined) {
        const [now] = await tx
          .select({ passwordHash: users.passwordHash })
          .from(users)
          .where(eq(users.id, userId))
          .for('update')
        if (now?.passwordHash !== user.passwordHash) throw appError('auth.wrong_password')
        return
      }
      const spent = await spendAccountToken(tx, { token: confirmation ?? '', purpose: 'confirm', now: clock() })
      // The rollback restores the token, so that another user's confirmation is not used up.
      if (spent?.userId !== userId) throw appError('auth.confirmation_invalid')
    },
  }
}
