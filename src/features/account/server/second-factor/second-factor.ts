import { and, eq } from 'drizzle-orm'
import { forgetShownFactors, hasTotp, needsSecondFactor } from '#server/auth/factors.ts'
import { passkeys, sessions, totpSecrets } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { MailTemplate } from '#server/mail/table.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { AuthUser } from '#shared/session.ts'
import type { SecondFactorView } from '../../schemas.ts'
import { listPasskeys } from '../passkeys/list-passkeys.ts'
import type { Credentials } from '../reauthentication/reauthenticate.ts'
import { recoveryCodes } from '../table.ts'
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'
import { changeFactors, type FactorOwner, type ShownFactor, showFactor, showFactorIfDue } from './show-factor.ts'

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
  given: Credentials & ShownFactor,
): Promise<string[]> {
  const { userId } = owner
  const { result } = await changeFactors(deps, owner, given, showFactorIfDue, async (tx) => {
    if (!(await hasTotp(tx, userId))) throw appError('second_factor.off')
    return await makeRecoveryCodes(tx, deps.config, userId)
  })
  return result
}

/** Queues a notice. */
export async function turnTotpOff(deps: Tools, owner: FactorOwner, given: Credentials & ShownFactor): Promise<void> {
  const { userId } = owner
  if (!(await hasTotp(deps.db, userId))) throw appError('second_factor.off')
  await removeFactor(deps, owner, given, { missing: 'second_factor.off', notice: 'second_factor_off' }, async (tx) => {
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    return await tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning()
  })
}

/** Queues a notice. The device may continue to show the passkey. */
export async function removePasskey(
  deps: Tools,
  { id, ...owner }: FactorOwner & { id: string },
  given: Credentials & ShownFactor,
): Promise<void> {
  const own = and(eq(passkeys.userId, owner.userId), eq(passkeys.id, id))
  const [kept] = await deps.db.select({ id: passkeys.id }).from(passkeys).where(own)
  if (!kept) throw appError('passkey.not_found')
  await removeFactor(deps, owner, given, { missing: 'passkey.not_found', notice: 'passkey_removed' }, (tx) =>
    tx.delete(passkeys).where(own).returning(),
  )
}

/** Adding a first factor again needs the mailed link, so sessions forget that one was shown. */
async function removeFactor(
  deps: Tools,
  owner: FactorOwner,
  given: Credentials & ShownFactor,
  { missing, notice }: { missing: ErrorCode; notice: MailTemplate },
  remove: (tx: Transaction) => Promise<unknown[]>,
): Promise<void> {
  const { userId } = owner
  await changeFactors(deps, owner, given, showFactor, async (tx) => {
    const gone = await remove(tx)
    if (gone.length === 0) throw appError(missing)
    await forgetShownFactors(tx, userId)
    await enqueueMail(tx, { template: notice, userId, now: deps.clock() })
  })
}
