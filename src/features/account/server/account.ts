import { changeRole, disableAccount, enableAccount, holdAccount } from './account-status.ts'
import { isFound } from './admin-users.ts'
import { requireConsent } from './consents.ts'
import { deviceName } from './device-name.ts'
import { findStaff } from './find-staff.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { accountMails, findRecipient } from './mails.ts'
import { accountData } from './personal-data.ts'
import { requireUser } from './require-user.ts'
import { isSessionAlive } from './sessions.ts'
import { workAccounts } from './work-accounts.ts'

/** What other features and the server may do with accounts. */
export const account = {
  changeRole,
  deviceName,
  disableAccount,
  enableAccount,
  ensureFirstAdmin,
  findRecipient,
  findStaff,
  holdAccount,
  isFound,
  isSessionAlive,
  mails: accountMails,
  personalData: accountData,
  requireConsent,
  requireUser,
  work: workAccounts,
}
