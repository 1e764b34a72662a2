import { requireConsent } from './consents.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { accountMails, findRecipient } from './mails.ts'
import { accountData } from './personal-data.ts'
import { requireUser } from './require-user.ts'
import { isSessionAlive } from './sessions.ts'
import { changeRole, disableAccount, enableAccount, holdAccount } from './standing.ts'

/** What other features and the server may do with accounts. */
export const account = {
  changeRole,
  disableAccount,
  enableAccount,
  ensureFirstAdmin,
  findRecipient,
  holdAccount,
  isSessionAlive,
  mails: accountMails,
  personalData: accountData,
  requireConsent,
  requireUser,
}
