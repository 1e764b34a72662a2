import { and, eq, isNotNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/account-hooks.ts'
import { securityLog } from '#server/audit/audit.ts'
import { hashPassword, passwordMatches } from '#server/auth/password-hash.ts'
import { revokeSessions } from '#server/auth/sessions.ts'
import { totpSecrets, users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { AuthUser } from '#shared/session.ts'
import type { passwordInput, ResetFactors } from '../../schemas.ts'
import { readAccountToken, spendAccountToken, voidLinks } from '../account-token.ts'
import { listPasskeys } from '../passkeys/passkeys.ts'
import { reauthenticate } from '../reauthentication.ts'
import { markVerified, removeSignInMethods } from '../registration/verify-email.ts'
import { requestRemoval, totpId } from '../second-factor/factor-removal.ts'
import { forgetDevices, trustDevice } from '../sessions/known-device.ts'
import { rotateSession } from '../sessions/sessions.ts'
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

/** Ends all sessions and links, and queues a notice; returns a new token for this session. */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  current: { user: AuthUser; sessionId: string; device: string | undefined },
  { currentPassword, confirmation, password }: typeof passwordInput.infer,
): Promise<string> {
  const { id: userId } = current.user
  const reauthenticated = await reauthenticate(deps, userId, { password: currentPassword, confirmation })
  await refuseCommonPassword(password, userId, [reauthenticated.user.name, reauthenticated.user.email])
  // A generated password must not stay; otherwise the same password only ends the sessions.
  if (
    reauthenticated.user.passwordChangeDue &&
    (await passwordMatches(deps, password, reauthenticated.user.passwordHash, userId))
  )
    throw appError('form.invalid', { details: { password: 'password.unchanged' } })
  const passwordHash = await hashPassword(deps, password, userId)
  const now = deps.clock()
  return await transact(deps.db, async (tx) => {
    await reauthenticated.confirm(tx)
    await tx.update(users).set({ passwordHash, passwordChangeDue: false }).where(eq(users.id, userId))
    await voidLinks(tx, { userId, now })
    await forgetDevices(tx, { userId, except: current.device })
    const token = await rotateSession(tx, deps.config, { ...current, now })
    await enqueueMail(tx, { template: 'password_changed', userId, now })
    return token
  })
}
