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
  const { db, jobs, store, mailer, log, clock } = deps
  const reauthenticated = await reauthenticate(deps, userId, credentials)
  await transact(db, (tx) => requireRemainingAdmin(tx, userId))
  const parts = deps.accountHooks.personalData
  for (const part of parts) await part.prepareErasure?.(deps, userId)
  const now = clock()
  const { mailId, keys } = await transact(db, async (tx) => {
    await reauthenticated.confirm(tx)
    await requireRemainingAdmin(tx, userId)
    const keys: string[] = []
    // The account comes last, since other parts refer to its row.
    for (const part of parts.toReversed()) keys.push(...(await part.erase(tx, { userId, now })))
    const recipient = reauthenticated.user.email
    return { keys, mailId: await enqueueMail(tx, { template: 'account_deleted', userId, recipient, now }) }
  })
  // Failures here are harmless: the sweep later deletes files that no row refers to.
  for (const work of [store.delete(keys), mailer.forget?.(userId), jobs.send('send-mail', { mailId })]) {
    await work?.catch((error: unknown) => log.error({ err: error }, 'after deleting an account'))
  }
}
