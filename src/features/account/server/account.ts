import { makeAccountToken, tokenHash } from './account-token.ts'
import { eraseAccount } from './profile/profile.ts'
import { mailRules } from './rate-rules.ts'
import { callerOf, reauthenticationErrors, withReauthentication } from './reauthentication.ts'
import { canonicalAddress, isDisposable } from './registration/canonical-address.ts'
import { changeFactors, type FactorOwner, type ShownFactor, showFactorIfDue } from './second-factor/show-factor.ts'

export type { FactorOwner, ShownFactor }

/** Re-authentication for security changes of other features, links by mail, and deletion. */
export const account = {
  callerOf,
  canonicalAddress,
  changeFactors,
  eraseAccount,
  isDisposable,
  mailRules,
  makeToken: makeAccountToken,
  reauthenticationErrors,
  showFactorIfDue,
  tokenHash,
  withReauthentication,
}
