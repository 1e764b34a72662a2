import { and, eq, isNotNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { securityLog } from '#server/audit/audit.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { revokeSessions } from '#server/auth/revoke-sessions.ts'
import { totpSecrets, users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { ResetFactors } from '../../schemas.ts'
import { readAccountToken, spendAccountToken, voidLinks } from '../account-token.ts'
import { listPasskeys } from '../passkeys/list-passkeys.ts'
import { markVerified } from '../registration/verify-email.ts'
import { requestRemoval, totpId } from '../second-factor/factor-removal.ts'
import { forgetDevices, trustDevice } from '../sessions/known-device.ts'
import { removeSignInMethods } from '../sign-in/sign-in-methods.ts'
import { refuseCommonPassword } from './common-password.ts'

type Tools = Pick<AccountDeps, 'db' | 'clock' | 'config' | 'accountHooks'>

/** Returns none for an invalid link, which is reported when the password is set. */
export async function readResetFactors({ db, clock, config }: Tools, token: string): Promise<ResetFactors> {
  const known = await readAccountToken(db, { token, purpose: 'reset_password', now: clock() })
  return { delayHours: config.factorRemovalHours, items: known ? await factorsOf(db, known.userId) : [] }
}

async function factorsOf(executor: Executor, userId: string): Promise<ResetFactors['items']> {
  const [app] = await executor
    .select({ confirmedAt: totpSecrets.confirmedAt })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
  const apps = app?.confirmedAt
    ? [{ id: totpId, kind: 'code' as const, name: null, createdAt: app.confirmedAt.toISOString() }]
    : []
  const keys = (await listPasskeys(executor, userId)).map(({ id, name, createdAt }) => ({
    id,
    kind: 'passkey' as const,
    name,
    createdAt,
  }))
  return [...apps, ...keys]
}

/**
 * Ends all sessions and other links, and queues a notice. The device becomes known, so that its
 * owner can sign in while an attacker guesses passwords. Second factors stay; the listed ones are
 * removed after a delay.
 */
export async function resetPassword(
  deps: Tools,
  {
    token,
    password,
    removeFactors = [],
    device,
    address,
  }: { token: string; password: string; removeFactors?: string[] | undefined; device: string; address: string },
): Promise<void> {
  const { db, clock } = deps
  const now = clock()
  // Refuses invalid tokens before the expensive hash; spending checks again.
  if (!(await readAccountToken(db, { token, purpose: 'reset_password', now }))) throw appError('auth.token_invalid')
  await refuseCommonPassword(password, address)
  const passwordHash = await hashPassword(deps, password, address)
  await transact(db, async (tx) => {
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
    const note = { userId, address }
    await securityLog.note({ db: tx, clock }, { ...note, kind: 'password_reset' })
    await enqueueMail(tx, { template: 'password_changed', userId, now })
    if (await requestRemoval(tx, deps.config, { userId, factors: removeFactors, now }))
      await securityLog.note({ db: tx, clock }, { ...note, kind: 'factor_removal_requested' })
  })
}
