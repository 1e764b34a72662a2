import { and, eq } from 'drizzle-orm'
import { forgetShownFactors, lockFactors } from '#server/auth/factors.ts'
import { passkeys } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { type Credentials, reauthenticate } from '../reauthentication/reauthenticate.ts'
import { type FactorOwner, type ShownFactor, showFactor } from '../second-factor/show-factor.ts'

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
