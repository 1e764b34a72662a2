import { type } from 'arktype'
import { isEmail, normalizeEmail } from '#contract/email.ts'
import { languages } from '#contract/language.ts'
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

/** The user as the access token's `sub` has it. */
export interface AuthUser {
  id: string
  name: string
  email: string
  role: Role
}

/** `password`: a made-up password has to be changed first; `second_factor`: the admin area wants one set up. */
export type SessionDuty = 'password' | 'second_factor'

/** Claims of the access token (JWT, HS256): the specification's `sub` and `exp`, and the session it belongs to. */
export interface TokenClaims {
  sub: AuthUser
  sid: string
  /** What has to be done before anything else, for the app to show. */
  due?: SessionDuty
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

/** POST /api/user/sessions/{id}/end and /api/user/sessions/end_others */
export const endSessionInput = /* @__PURE__ */ type(proof)

/** POST /api/login_code: the challenge that POST /api/login gave under `details`, and a code of the authenticator app or a recovery code. */
export const loginCodeInput = /* @__PURE__ */ type({
  challenge: '1 <= string <= 100',
  code: type('string.trim').to('6 <= string <= 20'),
})

/** POST /api/login_token: what a provider's window came back with at /auth/callback. */
export const loginTokenInput = /* @__PURE__ */ type({ token: '1 <= string <= 100' })

/** POST /api/user/totp, /api/user/totp/off, /api/user/recovery_codes and /api/user/passkeys/options */
export const proofInput = /* @__PURE__ */ type(proof)

/** POST /api/user/totp/confirm */
export const totpCodeInput = /* @__PURE__ */ type({ code: type('string.trim').to('6 <= string <= 10') })

const credentialText = 'string <= 10000'
const credential = { id: '1 <= string <= 1000', rawId: '1 <= string <= 1000', type: "'public-key'" } as const

/** POST /api/user/passkeys: the browser's RegistrationResponseJSON. */
export const addPasskeyInput = /* @__PURE__ */ type({
  response: {
    ...credential,
    response: {
      clientDataJSON: credentialText,
      attestationObject: credentialText,
      'authenticatorData?': credentialText,
      'transports?': 'string[]',
      'publicKeyAlgorithm?': 'number',
      'publicKey?': credentialText,
    },
    'authenticatorAttachment?': 'string | undefined',
    clientExtensionResults: 'object',
  },
})

/** POST /api/login_passkey: the browser's AuthenticationResponseJSON. */
export const loginPasskeyInput = /* @__PURE__ */ type({
  remember: 'boolean = false',
  response: {
    ...credential,
    response: {
      clientDataJSON: credentialText,
      authenticatorData: credentialText,
      signature: credentialText,
      'userHandle?': 'string | undefined',
    },
    'authenticatorAttachment?': 'string | undefined',
    clientExtensionResults: 'object',
  },
})

/** POST /api/user/passkeys/{id}/remove */
export const removePasskeyInput = /* @__PURE__ */ type(proof)

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

/** GET /api/login_google and /api/login_facebook, opened in a window, not called. */
export const providerQuery = /* @__PURE__ */ type({
  /** `1`: the session lasts 30 days. */
  'remember?': "'0' | '1'",
  /**
   * `confirm` proves who is there for POST /api/user/delete, /email or /password: it ends at /auth/callback?confirmation=… instead of
   * ?token=…, which POST /api/login_token turns into a session within a minute, once.
   */
  'purpose?': "'login' | 'confirm'",
  /**
   * Made up by the page that opens the window, and brought back to it: what comes with another mark, or with none, that page never asked for.
   * So nobody can send a person to /auth/callback with a token of their own.
   */
  'mark?': /^[\w-]{16,64}$/,
})

/** `{access_token}`: what every way of signing in, and every change that ends other sessions, responds with. */
export const tokenSchema = /* @__PURE__ */ type({ access_token: 'string' })
export type TokenView = typeof tokenSchema.infer

/** One sentence in the language of Accept-Language. */
export const messageSchema = /* @__PURE__ */ type({ msg: 'string' })

/** GET /api/auth/providers: which ways of signing in beside the password there are. */
export const signInMethodsSchema = /* @__PURE__ */ type({ google: 'boolean', facebook: 'boolean', passkey: 'boolean' })
export type SignInMethods = typeof signInMethodsSchema.infer

const themeSchema = /* @__PURE__ */ type({
  mode: type.enumerated(...themeModes),
  primary: 'string',
  neutral: 'string',
})
export type Theme = typeof themeSchema.infer

/** GET /api/user/me */
export const profileSchema = /* @__PURE__ */ type({
  id: 'string',
  name: 'string',
  email: 'string',
  role: type.enumerated(...roles),
  language: type.enumerated(...languages),
  /** Null until one was chosen. */
  theme: themeSchema.or('null'),
  /** False for somebody who has only ever signed in with a provider. */
  hasPassword: 'boolean',
  /** Providers that are linked to the account. */
  providers: type.enumerated(...providers).array(),
  createdAt: 'string',
})
export type Profile = typeof profileSchema.infer

/** PATCH /api/user/me; the token carries name and role, so there is a new one for the same session. */
export const changedProfileSchema = /* @__PURE__ */ profileSchema.and(tokenSchema)
export type ChangedProfile = typeof changedProfileSchema.infer

/** GET /api/user/sessions, those that could still be used, the latest first. */
export const sessionSchema = /* @__PURE__ */ type({
  id: 'string',
  /** The one that asks. */
  current: 'boolean',
  /** Browser and system, e.g. `Chrome, Android`; null when the browser did not say. */
  device: 'string | null',
  createdAt: 'string',
  /** To within five minutes. */
  lastSeenAt: 'string',
})
export type SessionView = typeof sessionSchema.infer

export const passkeySchema = /* @__PURE__ */ type({
  id: 'string',
  /** The device on which it was made. */
  name: 'string | null',
  createdAt: 'string',
  lastUsedAt: 'string | null',
})
export type PasskeyView = typeof passkeySchema.infer

/** GET /api/user/second_factor */
export const secondFactorSchema = /* @__PURE__ */ type({
  /** Whether sign-in asks for a code. */
  totp: 'boolean',
  recoveryCodesLeft: 'number',
  passkeys: passkeySchema.array(),
  /** People with a role need one here. */
  required: 'boolean',
})
export type SecondFactorView = typeof secondFactorSchema.infer

/** POST /api/user/totp: for the authenticator app; `uri` is what its QR code says. */
export const totpSchema = /* @__PURE__ */ type({ secret: 'string', uri: 'string' })
export type TotpView = typeof totpSchema.infer

/** Shown once. */
export const recoveryCodesSchema = /* @__PURE__ */ type({ recoveryCodes: 'string[]' })

/** POST /api/user/totp/confirm: the second factor is on, and the session goes on under a new token. */
export const totpConfirmedSchema = /* @__PURE__ */ recoveryCodesSchema.and(tokenSchema)
export type TotpConfirmed = typeof totpConfirmedSchema.infer

const consentSchema = /* @__PURE__ */ type({
  kind: type.enumerated(...consentKinds),
  version: 'string',
  givenAt: 'string',
  withdrawnAt: 'string | null',
})

export type ConsentView = typeof consentSchema.infer

/** GET /api/user/consents */
export const consentsSchema = /* @__PURE__ */ type({
  /** Version of the text to show and to agree to now, by kind. */
  current: { biometric: 'string' },
  /** Newest first. One counts while it is of the current version and not withdrawn. */
  items: consentSchema.array(),
})
export type Consents = typeof consentsSchema.infer
