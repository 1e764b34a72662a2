/** Ways of signing in beside the password. */
export const providers = ['google', 'facebook'] as const
export type Provider = (typeof providers)[number]

export const themeModes = ['light', 'dark', 'auto'] as const

/** What people agree to apart from the terms; `biometric`: that tools may work on faces. */
export const consentKinds = ['biometric'] as const
export type ConsentKind = (typeof consentKinds)[number]

/** Version of each text as the app shows it; a new text needs a new consent. */
export const consentVersions: Record<ConsentKind, string> = { biometric: '2026-11' }

/**
 * What /auth/callback gets in its query: a token, a confirmation or an error code, whose sentence
 * is `error.<code>`.
 */
export const callbackErrors = [
  'auth.provider_denied',
  'auth.provider_failed',
  'auth.provider_no_email',
  'auth.confirmation_invalid',
  'auth.email_unverified',
  'auth.disabled',
  'request.rate_limited',
  'server.unavailable',
] as const
export type CallbackError = (typeof callbackErrors)[number]

/**
 * What stands beside the password: codes of an authenticator app (or recovery codes), or passkeys.
 * A sign-in that needs one is refused with `second_factor.required`, whose details are the
 * `challenge` and the account's `factors`, separated by spaces.
 */
export const factors = ['code', 'passkey'] as const
export type Factor = (typeof factors)[number]
