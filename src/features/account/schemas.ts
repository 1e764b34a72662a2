import { consentKinds } from '#shared/consent.ts'
import { isEmail, normalizeEmail, passwordProblem } from '#shared/credentials.ts'
import { languages } from '#shared/language.ts'
import { roles } from '#shared/roles.ts'
import { type } from '#shared/schema.ts'
import { factors } from '#shared/session.ts'
import { themeModes } from '#shared/theme.ts'
import { digitsOnly, nameMaxLength, normalizeName, providers } from './rules.ts'

export const tokenSchema = type({ access_token: 'string' })
export type TokenView = typeof tokenSchema.infer

/** A sentence in the language of Accept-Language. */
export const messageSchema = type({ msg: 'string' })

export const signInMethodsSchema = type({ google: 'boolean', facebook: 'boolean', passkey: 'boolean' })
export type SignInMethods = typeof signInMethodsSchema.infer

export const themeSchema = type({
  mode: type.enumerated(...themeModes),
  primary: 'string',
  neutral: 'string',
})
export type Theme = typeof themeSchema.infer

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
export type Profile = typeof profileSchema.infer

/** The token carries name and role, so the session gets a new one. */
export const changedProfileSchema = profileSchema.and(tokenSchema)
export type ChangedProfile = typeof changedProfileSchema.infer

/** Latest first. */
export const sessionSchema = type({
  id: 'string',
  current: 'boolean',
  /** Browser and system, such as `Chrome, Android`; null if unknown. */
  device: 'string | null',
  createdAt: 'string',
  /** Accurate to five minutes. */
  lastSeenAt: 'string',
})
export type SessionView = typeof sessionSchema.infer

export const passkeySchema = type({
  id: 'string',
  name: 'string | null',
  createdAt: 'string',
  lastUsedAt: 'string | null',
  /** Removed then unless used before; requested after a password reset. */
  removalDueAt: 'string | null',
})
export type PasskeyView = typeof passkeySchema.infer

export const secondFactorSchema = type({
  totp: 'boolean',
  totpRemovalDueAt: 'string | null',
  recoveryCodesLeft: 'number',
  passkeys: passkeySchema.array(),
  required: 'boolean',
  /** Otherwise adding another factor requires showing one. */
  shown: 'boolean',
  linkOpened: 'boolean',
})
export type SecondFactorView = typeof secondFactorSchema.infer

/** `uri` is the content of the QR code. */
export const totpSchema = type({ secret: 'string', uri: 'string' })
export type TotpView = typeof totpSchema.infer

/** Shown once. */
export const recoveryCodesSchema = type({ recoveryCodes: 'string[]' })

/** The session continues with a new token. */
export const totpConfirmedSchema = recoveryCodesSchema.and(tokenSchema)
export type TotpConfirmed = typeof totpConfirmedSchema.infer

/** Second factors that a reset can remove. */
export const resetFactorsSchema = type({
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
export type ResetFactors = typeof resetFactorsSchema.infer

export const consentSchema = type({
  kind: type.enumerated(...consentKinds),
  version: 'string',
  givenAt: 'string',
  withdrawnAt: 'string | null',
})
export type ConsentView = typeof consentSchema.infer

export const consentsSchema = type({
  current: { biometric: 'string', remote: 'string' },
  /** Newest first. Valid if it has the current version and is not withdrawn. */
  items: consentSchema.array(),
})
export type Consents = typeof consentsSchema.infer

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

export const loginInput = type({ email, password: 'string >= 1', remember: 'boolean = false' })

/**
 * The interface removes confirmPassword before sending. Without a birth year the account is asked
 * for it before it can start anything.
 */
export const registerInput = type({
  name,
  email,
  password: newPassword,
  agreeToTerms: type('true'),
  'birthYear?': 'number.integer',
})

/** Without a code while the link may be opened. */
export const verificationInput = type({
  'code?': type(/^\D*(\d\D*){6}$/).pipe(digitsOnly),
})

/**
 * A session, or a token for /reset-password if the account has no password; neither while the
 * address is unverified.
 */
export const verificationSchema = type({ 'access_token?': 'string', 'resetToken?': 'string' })
export type Verification = typeof verificationSchema.infer

export const emailInput = type({ email })

/** A sent confirmation must match. */
export const resetInput = type({
  password: newPassword,
  'confirmPassword?': 'string',
  'removeFactors?': type('string <= 1000').array().atMostLength(30),
})

/** Only the shape of colour names is checked; palette.ts has the names. */
const colourName = /^[a-z][a-z0-9-]{0,30}$/
const theme = type({
  '+': 'delete',
  mode: type.enumerated(...themeModes),
  primary: colourName,
  neutral: colourName,
})

/** Absent fields stay. */
export const profileInput = type({
  'name?': name,
  'language?': type.enumerated(...languages),
  'theme?': theme.or('null'),
})

/**
 * The password, or without one the `confirmation` from a provider's window
 * (`/api/login_google?purpose=confirm`).
 */
const credentials = { 'password?': 'string >= 1', 'confirmation?': '1 <= string <= 200' } as const

export const endSessionInput = type(credentials)

/**
 * The challenge is in the `details` of POST /api/login; the code is of the app or a recovery code.
 */
export const loginCodeInput = type({
  challenge: '1 <= string <= 100',
  code: type('string.trim').to('6 <= string <= 20'),
})

/** The token from a provider's window at /auth/callback. */
export const loginTokenInput = type({ token: '1 <= string <= 100' })

export const reauthenticationInput = type(credentials)

export const linkInput = type({ token: '1 <= string <= 100' })

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
 * A code of the authenticator app, a recovery code, or a passkey's response to POST
 * /api/passkey_options.
 */
const factor = { 'code?': type('string.trim').to('6 <= string <= 20'), 'passkey?': assertion } as const
export const factorInput = type(factor)

/**
 * The factor is required for removing a factor, and for adding one if the session has shown none.
 */
export const factorReauthenticationInput = type({ ...credentials, ...factor })

/** The browser's RegistrationResponseJSON. */
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

export const loginPasskeyInput = type({ remember: 'boolean = false', response: assertion })

/** An account without a password sets its first one with a `confirmation`. */
export const passwordInput = type({
  'currentPassword?': 'string >= 1',
  'confirmation?': '1 <= string <= 200',
  password: newPassword,
})

/** The address changes when the link mailed to it is opened. */
export const emailChangeInput = type({ email, ...credentials, ...factor })

export const deleteInput = type(credentials)

/** `version` is the version of the shown text. */
export const consentInput = type({
  kind: type.enumerated(...consentKinds),
  version: '1 <= string <= 40',
})

export const withdrawInput = type({ kind: type.enumerated(...consentKinds) })

/** Opened in a window, not called by fetch. */
export const providerQuery = type({
  /** `1`: a session of 30 days. */
  'remember?': "'0' | '1'",
  /**
   * `confirm` re-authenticates: it ends at /auth/callback?confirmation=… instead of ?token=…, which
   * POST /api/login_token exchanges for a session, once within a minute.
   */
  'purpose?': "'login' | 'confirm'",
  /**
   * Random value of the opener, which ignores results without it: an attacker cannot send a user to
   * /auth/callback with the attacker's own token.
   */
  'state?': /^[\w-]{16,64}$/,
})
