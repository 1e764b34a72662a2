import { callerOf, reauthenticationErrors, withReauthentication } from './reauthentication/with-reauthentication.ts'
import { changeFactors, type FactorOwner, type ShownFactor, showFactorIfDue } from './second-factor/show-factor.ts'

export type { FactorOwner, ShownFactor }

/** Re-authentication for security changes of other features. */
export const account = { callerOf, changeFactors, reauthenticationErrors, showFactorIfDue, withReauthentication }
