import { makeAccountToken } from './account-token.ts'
import { requireConsent } from './consents.ts'
import { deviceName } from './device-name.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { requireUser } from './require-user.ts'
import { isSessionAlive } from './sessions.ts'
import { changeRole, disableAccount, enableAccount, holdAccount } from './standing.ts'

/** What other features and the server may do with accounts. */
export const account = {
  changeRole,
  deviceName,
  disableAccount,
  enableAccount,
  ensureFirstAdmin,
  holdAccount,
  isSessionAlive,
  makeAccountToken,
  requireConsent,
  requireUser,
}
