import { eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { oweMail } from '#server/mail/outbox.ts'
import { readAccountToken, spendAccountToken, voidLinks } from './account-token.ts'
import { refuseCommonPassword } from './common-password.ts'
import { forgetDevices, trustDevice } from './known-device.ts'
import { revokeSessions } from './logout.ts'
import { hashPassword } from './password-hash.ts'
import { removeSignInMethods } from './sign-in-methods.ts'
import { users } from './table.ts'
import { markVerified } from './verify-email.ts'

/**
 * Sets a new password with a mailed token, ends all sessions and all other links, and owes a notice
 * of it. The device on which it is set is the owner's: the way back in while somebody guesses.
 */
export async function resetPassword(
  deps: Pick<AccountDeps, 'db' | 'jobs' | 'clock' | 'config' | 'accountHooks'>,
  { token, password, device, address }: { token: string; password: string; device: string; address: string },
): Promise<void> {
  const { db, jobs, clock } = deps
  const now = clock()
  // Before any work is done for it; whether it is still good then, spending it says.
  if (!(await readAccountToken(db, { token, purpose: 'reset_password', now }))) throw appError('auth.token_invalid')
  await refuseCommonPassword(password, address)
  const passwordHash = await hashPassword(password, address)
  const mailId = await transact(db, async (tx) => {
    const spent = await spendAccountToken(tx, { token, purpose: 'reset_password', now })
    if (!spent) throw appError('auth.token_invalid')
    const { userId } = spent
    const [user] = await tx.select({ verified: users.emailVerifiedAt }).from(users).where(eq(users.id, userId))
    if (!user?.verified) await removeSignInMethods(tx, userId)
    await tx.update(users).set({ passwordHash, passwordChangeDue: false }).where(eq(users.id, userId))
    await voidLinks(tx, { userId, now })
    await markVerified(tx, deps, { userId, now })
    await forgetDevices(tx, { userId })
    await trustDevice(tx, { userId, device, now })
    await revokeSessions(tx, { userId, now })
    return oweMail(tx, { template: 'password_changed', userId, now })
  })
  await jobs.send('send-mail', { mailId })
}
