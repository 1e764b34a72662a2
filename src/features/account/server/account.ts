import { accountMails } from './mails.ts'
import { accountData } from './personal-data.ts'
import { ensureFirstAdmin } from './staff/first-admin.ts'
import { removeAllFactors, setGeneratedPassword } from './staff/operator.ts'
import { workAccounts } from './work-accounts.ts'

export const account = {
  ensureFirstAdmin,
  mails: accountMails,
  personalData: accountData,
  removeAllFactors,
  setGeneratedPassword,
  work: workAccounts,
}
