import { and, eq } from 'drizzle-orm'
import { forgetShownFactors, hasTotp, lockFactors, needsSecondFactor } from '#server/auth/factors.ts'
import { passkeys, sessions, totpSecrets } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { AuthUser } from '#shared/session.ts'
import type { SecondFactorView } from '../../schemas.ts'
import { listPasskeys } from '../passkeys/list-passkeys.ts'
import { type Credentials, reauthenticate } from '../reauthentication/reauthenticate.ts'
import { recoveryCodes } from '../table.ts'
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'
import { type FactorOwner, type ShownFactor, showFactor, showFactorIfDue } from './show-factor.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

export async function readSecondFactor(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  { user, sessionId }: { user: AuthUser; sessionId: string },
): Promise<SecondFactorView> {
  const [session] = await db
    .select({ shownAt: sessions.secondFactorAt, mayEnrolUntil: sessions.mayEnrolUntil })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  const [totp] = await db
    .select({ confirmedAt: totpSecrets.confirmedAt, removalDueAt: totpSecrets.removalDueAt })
    .from(totpSecrets)
    .where(eq(totpSecrets.userId, user.id))
  return {
    totp: totp !== undefined && totp.confirmedAt !== null,
    totpRemovalDueAt: totp?.removalDueAt?.toISOString() ?? null,
    recoveryCodesLeft: await countRecoveryCodes(db, user.id),
    passkeys: await listPasskeys(db, user.id),
    required: needsSecondFactor(user, config),
    shown: session !== undefined && session.shownAt !== null,
    linkOpened: (session?.mayEnrolUntil ?? new Date(0)) > clock(),
  }
}

/** Invalidates the old codes. */
export async function renewRecoveryCodes(
  deps: Tools,
  owner: FactorOwner,
  { password, confirmation, ...shown }: Credentials & ShownFactor,
): Promise<string[]> {
  const { userId } = owner
  const reauthenticated = await reauthenticate(deps, userId, { password, confirmation })
  const factor = await showFactorIfDue(deps, owner, shown)
  return await transact(deps.db, async (tx) => {
    await lockFactors(tx, userId)
    await reauthenticated.confirm(tx)
    await factor.confirm(tx)
    if (!(await hasTotp(tx, userId))) throw appError('second_factor.off')
    return await makeRecoveryCodes(tx, deps.config, userId)
  })
}

/** Queues a notice. */
export async function turnTotpOff(
  deps: Tools,
  owner: FactorOwner,
  { password, confirmation, ...shown }: Credentials & ShownFactor,
): Promise<void> {
  const { userId } = owner
  if (!(await hasTotp(deps.db, userId))) throw appError('second_factor.off')
  const reauthenticated = await reauthenticate(deps, userId, { password, confirmation })
  const factor = await showFactor(deps, owner, shown)
  await transact(deps.db, async (tx) => {
    await lockFactors(tx, userId)
    await reauthenticated.confirm(tx)
    await factor.confirm(tx)
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    const gone = await tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning()
    if (gone.length === 0) throw appError('second_factor.off')
    await forgetShownFactors(tx, userId)
    await enqueueMail(tx, { template: 'second_factor_off', userId, now: deps.clock() })
  })
}

/** Queues a notice. The device may continue to show the passkey. */
export async function removePasskey(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { id, userId, sessionId }: FactorOwner & { id: string },
  { password, confirmation, ...shown }: Credentials & ShownFactor,
): Promise<void> {
  const own = and(eq(passkeys.userId, userId), eq(passkeys.id, id))
  const [kept] = await deps.db.select({ id: passkeys.id }).from(passkeys).where(own)
  if (!kept) throw appError('passkey.not_found')
  const reauthenticated = await reauthenticate(deps, userId, { password, confirmation })
  const factor = await showFactor(deps, { userId, sessionId }, shown)
  await transact(deps.db, async (tx) => {
    await lockFactors(tx, userId)
    await reauthenticated.confirm(tx)
    await factor.confirm(tx)
    const gone = await tx.delete(passkeys).where(own).returning({ id: passkeys.id })
    if (gone.length === 0) throw appError('passkey.not_found')
    await forgetShownFactors(tx, userId)
    await enqueueMail(tx, { template: 'passkey_removed', userId, now: deps.clock() })
  })
}
