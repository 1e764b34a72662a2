import { isEmail } from '#contract/email.ts'
import { passwordProblem } from '#contract/password.ts'
import { normalizeName } from '#contract/person-name.ts'

/** Ways of signing in beside the password. */
export const providers = ['google', 'facebook'] as const
export type Provider = (typeof providers)[number]

export const themeModes = ['light', 'dark', 'auto'] as const

/**
 * What people agree to apart from the terms; `biometric`: that tools may work on faces, `remote`:
 * that services outside of this server may be sent their pictures.
 */
export const consentKinds = ['biometric', 'remote'] as const
export type ConsentKind = (typeof consentKinds)[number]

/**
 * Version of each text as consent-dialog.tsx shows it; a changed text gets a new one, and needs a
 * new consent.
 */
export const consentVersions: Record<ConsentKind, string> = { biometric: '2026-11', remote: '2026-11' }

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
  'server.maintenance',
] as const
export type CallbackError = (typeof callbackErrors)[number]

/**
 * What stands beside the password: codes of an authenticator app (or recovery codes), or passkeys.
 * A sign-in that needs one is refused with `second_factor.required`, whose details are the
 * `challenge` and the account's `factors`, separated by spaces.
 */
export const factors = ['code', 'passkey'] as const
export type Factor = (typeof factors)[number]

/** How long the code of a verification mail counts; its link does for a day. */
export const verificationCodeMinutes = 10
export const verificationCodeDigits = 6

// What is wrong with the fields of a form: message keys, which the server names too.

export interface LoginForm {
  email: string
  password: string
  remember: boolean
}

export interface RegisterForm {
  name: string
  email: string
  password: string
  confirmPassword: string
  agreeToTerms: boolean
}

export function emailProblems({ email }: { email: string }) {
  if (email.trim() === '') return { email: 'login.required' }
  return { email: isEmail(email.trim()) ? null : 'login.invalidEmail' }
}

export function loginProblems({ email, password }: LoginForm) {
  return { ...emailProblems({ email }), password: password === '' ? 'password.required' : null }
}

export function verificationCodeProblems({ code }: { code: string }) {
  return { code: plainDigits(code).length === verificationCodeDigits ? null : 'verification.digits' }
}

/** A code as people copy it, without what stands between its digits. */
export const plainDigits = (text: string): string => text.replace(/\D/g, '')

export function nameProblems({ name }: { name: string }) {
  return { name: normalizeName(name) === '' ? 'required' : null }
}

export function registerProblems({ name, email, password, confirmPassword, agreeToTerms }: RegisterForm) {
  const differs = confirmPassword === password ? null : 'register.passwordsDontMatch'
  return {
    ...nameProblems({ name }),
    ...emailProblems({ email }),
    password: passwordProblem(password),
    confirmPassword: confirmPassword === '' ? 'required' : differs,
    agreeToTerms: agreeToTerms ? null : 'register.agreeToTerms',
  }
}

export function newPasswordProblems({ password, confirmPassword }: { password: string; confirmPassword: string }) {
  const differs = confirmPassword === password ? null : 'resetPassword.passwordsMustMatch'
  return {
    password: passwordProblem(password),
    confirmPassword: confirmPassword === '' ? 'resetPassword.confirmPasswordRequired' : differs,
  }
}
