import { isEmail, normalizeEmail } from '#contract/email.ts'
import { languages } from '#contract/language.ts'
import { passwordProblem } from '#contract/password.ts'
import { nameMaxLength, normalizeName } from '#contract/person-name.ts'
import { roles } from '#contract/roles.ts'
import { type } from '#contract/schema.ts'
import { consentKinds, factors, plainDigits, providers, themeModes } from './rules.ts'

/** `{access_token}`: response of every sign-in, and of changes that end other sessions. */
export const tokenSchema = type({ access_token: 'string' })

/** A sentence in the language of Accept-Language. */
export const messageSchema = type({ msg: 'string' })

/** GET /api/auth/providers: sign-in methods besides the password. */
export const signInMethodsSchema = type({ google: 'boolean', facebook: 'boolean', passkey: 'boolean' })

export const themeSchema = type({
  mode: type.enumerated(...themeModes),
  primary: 'string',
  neutral: 'string',
})

/** GET /api/user/me */
export const profileSchema = type({
  id: 'string',
  name: 'string',
  email: 'string',
  role: type.enumerated(...roles),
  language: type.enumerated(...languages),
  /** Null until chosen. */
  theme: themeSchema.or('null'),
  /** False for users who have only signed in with a provider. */
  hasPassword: 'boolean',
  providers: type.enumerated(...providers).array(),
  createdAt: 'string',
})

/** PATCH /api/user/me; the token carries name and role, so the session gets a new one. */
export const changedProfileSchema = profileSchema.and(tokenSchema)

/** GET /api/user/sessions: active sessions, latest first. */
export const sessionSchema = type({
  id: 'string',
  /** True for the calling session. */
  current: 'boolean',
  /** Browser and system, such as `Chrome, Android`; null if unknown. */
  device: 'string | null',
  createdAt: 'string',
  /** Accurate to five minutes. */
  lastSeenAt: 'string',
})

export const passkeySchema = type({
  id: 'string',
  /** Device on which it was created. */
  name: 'string | null',
  createdAt: 'string',
  lastUsedAt: 'string | null',
  /** Date of its removal unless it is used before, requested after a password reset. */
  removalDueAt: 'string | null',
})

/** GET /api/user/second_factor */
export const secondFactorSchema = type({
  /** True if sign-in requires a code. */
  totp: 'boolean',
  totpRemovalDueAt: 'string | null',
  recoveryCodesLeft: 'number',
  passkeys: passkeySchema.array(),
  /** True for staff here. */
  required: 'boolean',
  /** True if this session has shown a factor; otherwise adding another one requires it. */
  shown: 'boolean',
  /** True if the mailed link for the first factor was opened in this session. */
  linkOpened: 'boolean',
})

/** POST /api/user/totp: for the authenticator app; `uri` is the content of its QR code. */
export const totpSchema = type({ secret: 'string', uri: 'string' })

/** Shown once. */
export const recoveryCodesSchema = type({ recoveryCodes: 'string[]' })

/**
 * POST /api/user/totp/confirm: the second factor is on, and the session continues with a new token.
 */
export const totpConfirmedSchema = recoveryCodesSchema.and(tokenSchema)

/** GET /api/reset_password/{token}: second factors that a reset can remove. */
export const resetFactorsSchema = type({
  /** Hours until the removal. */
  delayHours: 'number',
  items: type({
    /** `totp`, or a passkey's id. */
    id: 'string',
    kind: type.enumerated(...factors),
    /** Device of a passkey's creation. */
    name: 'string | null',
    createdAt: 'string',
  }).array(),
})

export const consentSchema = type({
  kind: type.enumerated(...consentKinds),
  version: 'string',
  givenAt: 'string',
  withdrawnAt: 'string | null',
})

/** GET /api/user/consents */
export const consentsSchema = type({
  /** Current version of each consent text. */
  current: { biometric: 'string', remote: 'string' },
  /** Newest first. Valid if it has the current version and is not withdrawn. */
  items: consentSchema.array(),
})

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
export const loginInput = type({ email, password: 'string >= 1', remember: 'boolean = false' })

/** POST /api/register; the interface removes confirmPassword before sending. */
export const registerInput = type({
  name,
  email,
  password: newPassword,
  agreeToTerms: type('true'),
})

/** POST /api/verify_email: with the mailed code, or without one while its link may be opened. */
export const verificationInput = type({
  'code?': type(/^\D*(\d\D*){6}$/).pipe(plainDigits),
})

/**
 * 200 of POST /api/verify_email: a session, or a token for /reset-password if the account has no
 * password; neither while the address is unverified.
 */
export const verificationSchema = type({ 'access_token?': 'string', 'resetToken?': 'string' })

/** GET /api/resend_confirmation_email?email= and POST /api/forgot_password */
export const emailInput = type({ email })

/** POST /api/reset_password/{token}; a sent confirmation must match. */
export const resetInput = type({
  password: newPassword,
  'confirmPassword?': 'string',
  /** Ids of second factors to remove, with a delay of days. */
  'removeFactors?': type('string <= 1000').array().atMostLength(30),
})

/**
 * Appearance; only the shape of colour names is checked here, the names are the app's (palette.ts).
 */
const colourName = /^[a-z][a-z0-9-]{0,30}$/
const theme = type({
  '+': 'delete',
  mode: type.enumerated(...themeModes),
  primary: colourName,
  neutral: colourName,
})

/** PATCH /api/user/me; absent fields stay. */
export const profileInput = type({
  'name?': name,
  'language?': type.enumerated(...languages),
  'theme?': theme.or('null'),
})

/**
 * Credentials that prove the owner's presence: the password, or without one the `confirmation` from
 * a provider's window (`/api/login_google?purpose=confirm`).
 */
const credentials = { 'password?': 'string >= 1', 'confirmation?': '1 <= string <= 200' } as const

/** POST /api/user/sessions/{id}/end and /api/user/sessions/end_others */
export const endSessionInput = type(credentials)

/**
 * POST /api/login_code: the challenge from the `details` of POST /api/login, and a code of the
 * authenticator app or a recovery code.
 */
export const loginCodeInput = type({
  challenge: '1 <= string <= 100',
  code: type('string.trim').to('6 <= string <= 20'),
})

/** POST /api/login_token: the token from a provider's window at /auth/callback. */
export const loginTokenInput = type({ token: '1 <= string <= 100' })

/** POST /api/user/second_factor/link, and security actions of admins on other accounts */
export const reauthenticationInput = type(credentials)

/** POST /api/user/second_factor/open and POST /api/keep_factors */
export const linkInput = type({ token: '1 <= string <= 100' })

/** POST /api/user/totp/confirm */
export const totpCodeInput = type({ code: type('string.trim').to('6 <= string <= 10') })

const credentialText = 'string <= 10000'
const credential = { id: '1 <= string <= 1000', rawId: '1 <= string <= 1000', type: "'public-key'" } as const

/** The browser's AuthenticationResponseJSON. */
const assertion = type({
  ...credential,
  response: {
    clientDataJSON: credentialText,
    authenticatorData: credentialText,
    signature: credentialText,
    'userHandle?': 'string | undefined',
  },
  'authenticatorAttachment?': 'string | undefined',
  clientExtensionResults: 'object',
})

/**
 * A second factor: a code of the authenticator app, a recovery code, or a passkey's response to
 * POST /api/passkey_options.
 */
const factor = { 'code?': type('string.trim').to('6 <= string <= 20'), 'passkey?': assertion } as const
export const factorInput = type(factor)

/**
 * POST /api/user/totp, /totp/off, /recovery_codes, /passkeys/options and /passkeys/{id}/remove. The
 * factor is required for removing one, and for adding one if the session has not shown one.
 */
export const factorReauthenticationInput = type({ ...credentials, ...factor })

/** POST /api/user/passkeys: the browser's RegistrationResponseJSON. */
export const addPasskeyInput = type({
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

/** POST /api/login_passkey */
export const loginPasskeyInput = type({ remember: 'boolean = false', response: assertion })

/**
 * POST /api/user/password; an account without a password sets its first one with a `confirmation`.
 */
export const passwordInput = type({
  'currentPassword?': 'string >= 1',
  'confirmation?': '1 <= string <= 200',
  password: newPassword,
})

/** POST /api/user/email; the address changes when the link mailed to the new one is opened. */
export const emailChangeInput = type({ email, ...credentials, ...factor })

/** POST /api/user/delete */
export const deleteInput = type(credentials)

/**
 * POST /api/user/consents; `version` is the version of the shown text, see GET /api/user/consents.
 */
export const consentInput = type({
  kind: type.enumerated(...consentKinds),
  version: '1 <= string <= 40',
})

/** DELETE /api/user/consents?kind=biometric */
export const withdrawInput = type({ kind: type.enumerated(...consentKinds) })

/** GET /api/login_google and /api/login_facebook: opened in a window, not called by fetch. */
export const providerQuery = type({
  /** `1`: a session of 30 days. */
  'remember?': "'0' | '1'",
  /**
   * `confirm` re-authenticates for POST /api/user/delete, /email or /password: it ends at
   * /auth/callback?confirmation=… instead of ?token=…, which POST /api/login_token exchanges for a
   * session within a minute, once.
   */
  'purpose?': "'login' | 'confirm'",
  /**
   * Random value of the page that opens the window, returned to that page, which ignores results
   * with another value or none. An attacker thus cannot send a user to /auth/callback with the
   * attacker's own token.
   */
  'state?': /^[\w-]{16,64}$/,
})
