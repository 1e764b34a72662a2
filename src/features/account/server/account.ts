import { accountMails, findRecipient } from './mails.ts'
import { hashPassword, passwordMatches } from './password/password-hash.ts'
import { accountData } from './personal-data.ts'
import { hasConsent, requireConsent } from './profile/consents.ts'
import { deviceName } from './sessions/device-name.ts'
import { requirePermission, requireUser } from './sessions/require-user.ts'
import { isSessionAlive } from './sessions/sessions.ts'
import { changeRole, disableAccount, enableAccount, holdAccount } from './staff/account-status.ts'
import { isFound } from './staff/admin-users.ts'
import { requireAuthorityOver } from './staff/authority.ts'
import { findStaff } from './staff/find-staff.ts'
import { ensureFirstAdmin } from './staff/first-admin.ts'
import { removeAllFactors, setGeneratedPassword } from './staff/operator.ts'
import { workAccounts } from './work-accounts.ts'

export const account = {
  changeRole,
  deviceName,
  disableAccount,
  enableAccount,
  ensureFirstAdmin,
  findRecipient,
  findStaff,
  setGeneratedPassword,
  hasConsent,
  hashPassword,
  holdAccount,
  isFound,
  isSessionAlive,
  mails: accountMails,
  passwordMatches,
  personalData: accountData,
  requireConsent,
  requireAuthorityOver,
  requirePermission,
  requireUser,
  removeAllFactors,
  work: workAccounts,
}
