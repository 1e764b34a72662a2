import type { AccountDeps } from '#server/account-hooks.ts'
import { transact } from '#server/db/transact.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { type Credentials, reauthenticate } from '../reauthentication/reauthenticate.ts'
import { keepAnAdmin } from '../staff/account-status.ts'

/**
 * Deletes an account at once: pictures, name, address, sessions, consents, everything but what the
 * ledger needs, which from then on belongs to nobody. The one mail that is still owed says so.
 */
export async function deleteAccount(deps: AccountDeps, userId: string, credentials: Credentials): Promise<void> {
  const { db, jobs, store, mailer, log, clock } = deps
  const reauthenticated = await reauthenticate(deps, userId, credentials)
  await transact(db, (tx) => keepAnAdmin(tx, userId))
  const parts = deps.accountHooks.personalData
  for (const part of parts) await part.prepareErasure?.(deps, userId)
  const now = clock()
  const { mailId, keys } = await transact(db, async (tx) => {
    await reauthenticated.confirm(tx)
    await keepAnAdmin(tx, userId)
    const keys: string[] = []
    // The account last: its row is what the others belong to.
    for (const part of parts.toReversed()) keys.push(...(await part.erase(tx, { userId, now })))
    const recipient = reauthenticated.user.email
    return { keys, mailId: await enqueueMail(tx, { template: 'account_deleted', userId, recipient, now }) }
  })
  // The account is gone whatever happens now; files that cannot be deleted are swept, for nobody
  // knows them any more.
  for (const work of [store.delete(keys), mailer.forget?.(userId), jobs.send('send-mail', { mailId })]) {
    await work?.catch((error: unknown) => log.error({ err: error }, 'after deleting an account'))
  }
}
