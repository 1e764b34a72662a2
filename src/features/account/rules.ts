import { isBirthYear } from '#shared/age.ts'
import { isEmail, passwordProblem } from '#shared/credentials.ts'

/** In characters. */
export const nameMaxLength = 100

/** Direction marks and other invisible characters, which messengers leave around copied names. */
const invisibleCharacters = /[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu

/** Removes invisible characters and line breaks, and applies NFC; may return an empty text. */
export function normalizeName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(invisibleCharacters, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : ''
}

export const providers = ['google', 'facebook'] as const
export type Provider = (typeof providers)[number]
export const providerNames: Record<Provider, string> = { google: 'Google', facebook: 'Facebook' }

/** Each has the text `error.<code>`. */
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

/** The link is valid for a day. */
export const verificationCodeMinutes = 10
export const verificationCodeDigits = 6

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
  birthYear: string
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
  return { code: digitsOnly(code).length === verificationCodeDigits ? null : 'verification.digits' }
}

export const digitsOnly = (text: string): string => text.replace(/\D/g, '')

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

/** `now` is the server's time. */
export function birthYearProblems({ birthYear }: { birthYear: string }, now: number) {
  if (birthYear.trim() === '') return { birthYear: 'required' }
  const year = /^\d{4}$/.test(birthYear.trim()) ? Number(birthYear) : Number.NaN
  return { birthYear: isBirthYear(year, new Date(now)) ? null : 'age.year' }
}

export function newPasswordProblems({ password, confirmPassword }: { password: string; confirmPassword: string }) {
  const differs = confirmPassword === password ? null : 'resetPassword.passwordsMustMatch'
  return {
    password: passwordProblem(password),
    confirmPassword: confirmPassword === '' ? 'resetPassword.confirmPasswordRequired' : differs,
  }
}

export const accountStates = ['active', 'unverified', 'disabled'] as const

export const noteMax = 2000
export const tagMax = 30
export const tagsMax = 10

/** Mails with a link that staff may send again. */
export const linkMails = ['verify_email', 'reset_password'] as const

export const userSorts = ['newest', 'oldest', 'name', 'name_down', 'email', 'credits', 'credits_down'] as const
export type UserSort = (typeof userSorts)[number]
