import { makeAccountToken } from './account-token.ts'
import { deviceName } from './device-name.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { requireUser } from './require-user.ts'
import { changeRole, disableAccount, enableAccount } from './standing.ts'

/** What other features and the server may do with accounts. */
export const account = {
  changeRole,
  deviceName,
  disableAccount,
  enableAccount,
  ensureFirstAdmin,
  makeAccountToken,
  requireUser,
}
