import { makeAccountToken } from './account-token.ts'
import { ensureFirstAdmin } from './first-admin.ts'
import { requireUser } from './require-user.ts'

/** What other features and the server may do with accounts. */
export const account = { ensureFirstAdmin, makeAccountToken, requireUser }
