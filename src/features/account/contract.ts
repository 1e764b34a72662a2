import { type } from 'arktype'
import { isEmail, normalizeEmail } from '#contract/email.ts'
import { type Language, languages } from '#contract/language.ts'
import { pageSize } from '#contract/paging.ts'
import { passwordProblem } from '#contract/password.ts'
import { nameMaxLength, normalizeName } from '#contract/person-name.ts'
import { type Role, roles } from '#contract/roles.ts'

/** Ways of signing in beside the password. */
export const providers = ['google', 'facebook'] as const
export type Provider = (typeof providers)[number]

export const themeModes = ['light', 'dark', 'auto'] as const

/** What people agree to apart from the terms; `biometric`: that tools may work on faces. */
export const consentKinds = ['biometric'] as const
export type ConsentKind = (typeof consentKinds)[number]

/** Version of each text as the app shows it; a new text needs a new consent. */
export const consentVersions: Record<ConsentKind, string> = { biometric: '2026-11' }

/** What /auth/callback gets in its query: a token, a confirmation or an error code, whose sentence is `error.<code>`. */
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

/** The user as it stands in the access token's `sub` and in answers. */
export interface AuthUser {
  id: string
  name: string
  email: string
  role: Role
}

/** Claims of the access token (JWT, HS256): the specification's `sub` and `exp`, and the session it belongs to. */
export interface TokenClaims {
  sub: AuthUser
  sid: string
  /** Seconds since 1970. */
  iat: number
  exp: number
}

const email = type('string')
  .narrow((value, context) => {
    if (value.trim() === '') return context.mustBe('login.required')
    return isEmail(value.trim()) || context.mustBe('login.invalidEmail')
  })
  .pipe(normalizeEmail)
const name = type('string').pipe(normalizeName).to(`1 <= string <= ${nameMaxLength}`)
const newPassword = type('string').narrow((value, context) => {
  const problem = passwordProblem(value)
  return problem === null || context.mustBe(problem)
})

/** POST /api/login */
export const loginInput = /* @__PURE__ */ type({ email, password: 'string >= 1', remember: 'boolean = false' })

/** POST /api/register; the interface removes confirmPassword before sending. */
export const registerInput = /* @__PURE__ */ type({
  name,
  email,
  password: newPassword,
  agreeToTerms: type('true'),
})

/** GET /api/resend_confirmation_email?email= and POST /api/forgot_password */
export const emailInput = /* @__PURE__ */ type({ email })

/** POST /api/reset_password/{token}; the confirmation is compared when it is sent. */
export const resetInput = /* @__PURE__ */ type({ password: newPassword, 'confirmPassword?': 'string' })

/** How the app looks; the names of the colours are the app's (src/app/theme/palette.ts), here they only have the shape of a name. */
const colourName = /^[a-z][a-z0-9-]{0,30}$/
const theme = type({
  '+': 'delete',
  mode: type.enumerated(...themeModes),
  primary: colourName,
  neutral: colourName,
})

/** PATCH /api/user/me; what is not given stays. */
export const profileInput = /* @__PURE__ */ type({
  'name?': name,
  'language?': type.enumerated(...languages),
  'theme?': theme.or('null'),
})

/**
 * Proof that the account's owner is at the keyboard: the password, or where there is none the `confirmation` with which a provider's window
 * (`/api/login_google?purpose=confirm`) comes back.
 */
const proof = { 'password?': 'string >= 1', 'confirmation?': '1 <= string <= 200' } as const

/** POST /api/user/password; an account without a password sets its first one with a `confirmation`. */
export const passwordInput = /* @__PURE__ */ type({
  'currentPassword?': 'string >= 1',
  'confirmation?': '1 <= string <= 200',
  password: newPassword,
})

/** POST /api/user/email; the address changes when the link that is mailed to the new one is opened. */
export const emailChangeInput = /* @__PURE__ */ type({ email, ...proof })

/** POST /api/user/delete */
export const deleteInput = /* @__PURE__ */ type(proof)

/** POST /api/user/consents; `version` is that of the text that was shown, GET /api/user/consents says which one is asked for. */
export const consentInput = /* @__PURE__ */ type({
  kind: type.enumerated(...consentKinds),
  version: '1 <= string <= 40',
})

/** DELETE /api/user/consents?kind=biometric */
export const withdrawInput = /* @__PURE__ */ type({ kind: type.enumerated(...consentKinds) })

/** GET /api/admin/users; `search` is a part of the name or the address. */
export const listUsersInput = /* @__PURE__ */ type({
  'search?': type('string.trim').to('string <= 200'),
  'role?': type.enumerated(...roles),
  'cursor?': 'string.uuid',
  'limit?': pageSize,
})

/** PATCH /api/admin/users/{id}; what is not given stays. Every session of the account ends with a change. */
export const standingInput = /* @__PURE__ */ type({
  'role?': type.enumerated(...roles),
  'disabled?': 'boolean',
  reason: type('string.trim').to('1 <= string <= 500'),
})

/** GET /api/login_google and /api/login_facebook, opened in a window, not called. */
export const providerQuery = /* @__PURE__ */ type({
  /** `1`: the session lasts 30 days. */
  'remember?': "'0' | '1'",
  /** `confirm` proves who is there for POST /api/user/delete, /email or /password: it ends at /auth/callback?confirmation=… instead of ?token=… */
  'purpose?': "'login' | 'confirm'",
  /**
   * Made up by the page that opens the window, and brought back to it: what comes with another mark, or with none, that page never asked for.
   * So nobody can send a person to /auth/callback with a token of their own.
   */
  'mark?': /^[\w-]{16,64}$/,
})

/** POST /api/login, POST /api/user/password and DELETE /api/user/sessions */
export interface LoginAnswer {
  access_token: string
}

/** GET /api/auth/providers: which ways of signing in beside the password are configured. */
export type Providers = Record<Provider, boolean>

export interface Theme {
  mode: (typeof themeModes)[number]
  primary: string
  neutral: string
}

/** GET /api/user/me */
export interface Profile extends AuthUser {
  language: Language
  /** Null until one was chosen. */
  theme: Theme | null
  /** False for somebody who has only ever signed in with a provider. */
  hasPassword: boolean
  /** Providers that are linked to the account. */
  providers: Provider[]
  createdAt: string
}

/** PATCH /api/user/me; the token carries name and role, so there is a new one for the same session. */
export interface ChangedProfile extends Profile {
  access_token: string
}

/** GET /api/user/sessions, those that could still be used, the latest first. */
export interface SessionView {
  id: string
  /** The one that asks. */
  current: boolean
  /** Browser and system, e.g. `Chrome, Android`; null when the browser did not say. */
  device: string | null
  createdAt: string
  /** To within five minutes. */
  lastSeenAt: string
}

/** GET /api/user/consents */
export interface Consents {
  /** Version of the text to show and to agree to now, by kind. */
  current: Record<ConsentKind, string>
  /** Newest first. One counts while it is of the current version and not withdrawn. */
  items: ConsentView[]
}

export interface ConsentView {
  kind: ConsentKind
  version: string
  givenAt: string
  withdrawnAt: string | null
}

/** What an account may do at all. */
export interface Standing {
  role: Role
  disabled: boolean
}

/** GET /api/admin/users, the newest first */
export interface AdminUserView extends AuthUser, Standing {
  verified: boolean
  createdAt: string
}

/** GET /api/admin/users/{id} */
export interface AdminUserDetail extends AdminUserView {
  /** Oldest first. */
  changes: { adminId: string | null; before: Standing; after: Standing; reason: string; createdAt: string }[]
}
