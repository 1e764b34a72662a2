import type { AccountDeps } from '#server/account-hooks.ts'
import { transact } from '#server/db/transact.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { type Credentials, reauthenticate } from '../reauthentication/reauthenticate.ts'
import { requireRemainingAdmin } from '../staff/account-status.ts'

/**
 * Deletes everything except rows that the ledger needs, which no longer identify the user. The only
 * mail still sent confirms the deletion.
 */
export async function deleteAccount(deps: AccountDeps, userId: string, credentials: Credentials): Promise<void> {
  const { db, store, log, clock } = deps
  const reauthenticated = await reauthenticate(deps, userId, credentials)
  await transact(db, (tx) => requireRemainingAdmin(tx, userId))
  const parts = deps.accountHooks.personalData
  for (const part of parts) await part.prepareErasure?.(deps, userId)
  const now = clock()
  const keys = await transact(db, async (tx) => {
    await reauthenticated.confirm(tx)
    await requireRemainingAdmin(tx, userId)
    const keys: string[] = []
    // The account comes last, since other parts refer to its row.
    for (const part of parts.toReversed()) keys.push(...(await part.erase(tx, { userId, now })))
    const recipient = reauthenticated.user.email
    await enqueueMail(tx, { template: 'account_deleted', userId, recipient, now })
    return keys
  })
  // Harmless: the sweep later deletes files that no row refers to.
  await store.delete(keys).catch((error: unknown) => log.error({ err: error }, 'after deleting an account'))
}
