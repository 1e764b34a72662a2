import { isEmail, normalizeEmail } from '#contract/email.ts'
import { languages } from '#contract/language.ts'
import { passwordProblem } from '#contract/password.ts'
import { nameMaxLength, normalizeName } from '#contract/person-name.ts'
import { roles } from '#contract/roles.ts'
import { type } from '#contract/schema.ts'
import { consentKinds, factors, plainDigits, providers, themeModes } from './rules.ts'

/**
 * `{access_token}`: what every way of signing in, and every change that ends other sessions,
 * responds with.
 */
export const tokenSchema = type({ access_token: 'string' })

/** One sentence in the language of Accept-Language. */
export const messageSchema = type({ msg: 'string' })

/** GET /api/auth/providers: which ways of signing in beside the password there are. */
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
  /** Null until one was chosen. */
  theme: themeSchema.or('null'),
  /** False for somebody who has only ever signed in with a provider. */
  hasPassword: 'boolean',
  /** Providers that are linked to the account. */
  providers: type.enumerated(...providers).array(),
  createdAt: 'string',
})

/**
 * PATCH /api/user/me; the token carries name and role, so there is a new one for the same session.
 */
export const changedProfileSchema = profileSchema.and(tokenSchema)

/** GET /api/user/sessions, those that could still be used, the latest first. */
export const sessionSchema = type({
  id: 'string',
  /** The one that asks. */
  current: 'boolean',
  /** Browser and system, e.g. `Chrome, Android`; null when the browser did not say. */
  device: 'string | null',
  createdAt: 'string',
  /** To within five minutes. */
  lastSeenAt: 'string',
})

export const passkeySchema = type({
  id: 'string',
  /** The device on which it was made. */
  name: 'string | null',
  createdAt: 'string',
  lastUsedAt: 'string | null',
  /** When it goes unless it is used before, as somebody who reset the password asked for. */
  removalDueAt: 'string | null',
})

/** GET /api/user/second_factor */
export const secondFactorSchema = type({
  /** Whether sign-in asks for a code. */
  totp: 'boolean',
  totpRemovalDueAt: 'string | null',
  recoveryCodesLeft: 'number',
  passkeys: passkeySchema.array(),
  /** People with a role need one here. */
  required: 'boolean',
  /** Whether this session has shown one; else adding another one asks for it. */
  shown: 'boolean',
  /** Whether the mailed link that the account's first one needs was opened in this session. */
  linkOpened: 'boolean',
})

/** POST /api/user/totp: for the authenticator app; `uri` is what its QR code says. */
export const totpSchema = type({ secret: 'string', uri: 'string' })

/** Shown once. */
export const recoveryCodesSchema = type({ recoveryCodes: 'string[]' })

/**
 * POST /api/user/totp/confirm: the second factor is on, and the session goes on under a new token.
 */
export const totpConfirmedSchema = recoveryCodesSchema.and(tokenSchema)

/** GET /api/reset_password/{token}: the second factors that a reset can have removed. */
export const resetFactorsSchema = type({
  /** Hours until they are. */
  delayHours: 'number',
  items: type({
    /** `totp`, or a passkey's id. */
    id: 'string',
    kind: type.enumerated(...factors),
    /** The device on which a passkey was made. */
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
  /** Version of the text to show and to agree to now, by kind. */
  current: { biometric: 'string', remote: 'string' },
  /** Newest first. One counts while it is of the current version and not withdrawn. */
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

/**
 * POST /api/verify_email: with the code of the mail, or without one while its link may be opened.
 */
export const verificationInput = type({
  'code?': type(/^\D*(\d\D*){6}$/).pipe(plainDigits),
})

/**
 * 200 of POST /api/verify_email: a session, or a token for /reset-password where the account has no
 * password; neither while the address is not verified.
 */
export const verificationSchema = type({ 'access_token?': 'string', 'resetToken?': 'string' })

/** GET /api/resend_confirmation_email?email= and POST /api/forgot_password */
export const emailInput = type({ email })

/** POST /api/reset_password/{token}; the confirmation is compared when it is sent. */
export const resetInput = type({
  password: newPassword,
  'confirmPassword?': 'string',
  /** Ids of second factors that are to be removed, which happens days later. */
  'removeFactors?': type('string <= 1000').array().atMostLength(30),
})

/**
 * How the app looks; the names of the colours are the app's (palette.ts), here they
 * only have the shape of a name.
 */
const colourName = /^[a-z][a-z0-9-]{0,30}$/
const theme = type({
  '+': 'delete',
  mode: type.enumerated(...themeModes),
  primary: colourName,
  neutral: colourName,
})

/** PATCH /api/user/me; what is not given stays. */
export const profileInput = type({
  'name?': name,
  'language?': type.enumerated(...languages),
  'theme?': theme.or('null'),
})

/**
 * Credentials that show that the account's owner is at the keyboard: the password, or where there
 * is none the `confirmation` with which a provider's window (`/api/login_google?purpose=confirm`)
 * comes back.
 */
const credentials = { 'password?': 'string >= 1', 'confirmation?': '1 <= string <= 200' } as const

/** POST /api/user/sessions/{id}/end and /api/user/sessions/end_others */
export const endSessionInput = type(credentials)

/**
 * POST /api/login_code: the challenge that POST /api/login gave under `details`, and a code of the
 * authenticator app or a recovery code.
 */
export const loginCodeInput = type({
  challenge: '1 <= string <= 100',
  code: type('string.trim').to('6 <= string <= 20'),
})

/** POST /api/login_token: what a provider's window came back with at /auth/callback. */
export const loginTokenInput = type({ token: '1 <= string <= 100' })

/** POST /api/user/second_factor/link, and what admins do to accounts of others */
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
 * A second factor of the account: a code of the authenticator app or a recovery code, or what a
 * passkey responds to POST /api/passkey_options.
 */
const factor = { 'code?': type('string.trim').to('6 <= string <= 20'), 'passkey?': assertion } as const
export const factorInput = type(factor)

/**
 * POST /api/user/totp, /totp/off, /recovery_codes, /passkeys/options and /passkeys/{id}/remove. The
 * factor is needed to take one away, and to add one where the session has not shown one yet.
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

/**
 * POST /api/user/email; the address changes when the link that is mailed to the new one is opened.
 */
export const emailChangeInput = type({ email, ...credentials, ...factor })

/** POST /api/user/delete */
export const deleteInput = type(credentials)

/**
 * POST /api/user/consents; `version` is that of the text that was shown, GET /api/user/consents
 * says which one is asked for.
 */
export const consentInput = type({
  kind: type.enumerated(...consentKinds),
  version: '1 <= string <= 40',
})

/** DELETE /api/user/consents?kind=biometric */
export const withdrawInput = type({ kind: type.enumerated(...consentKinds) })

/** GET /api/login_google and /api/login_facebook, opened in a window, not called. */
export const providerQuery = type({
  /** `1`: the session lasts 30 days. */
  'remember?': "'0' | '1'",
  /**
   * `confirm` is the re-authentication for POST /api/user/delete, /email or /password: it ends at
   * /auth/callback?confirmation=… instead of ?token=…, which POST /api/login_token turns into a
   * session within a minute, once.
   */
  'purpose?': "'login' | 'confirm'",
  /**
   * Made up by the page that opens the window, and brought back to it: what comes with another
   * one, or with none, that page never asked for. So nobody can send a person to /auth/callback
   * with a token of their own.
   */
  'state?': /^[\w-]{16,64}$/,
})
