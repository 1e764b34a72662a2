import { isEmail, normalizeEmail } from '#contract/email.ts'
import { languages } from '#contract/language.ts'
import { passwordProblem } from '#contract/password.ts'
import { nameMaxLength, normalizeName } from '#contract/person-name.ts'
import { type } from '#contract/schema.ts'
import { consentKinds, themeModes } from './contract.ts'

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
export const resetInput = /* @__PURE__ */ type({
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
export const profileInput = /* @__PURE__ */ type({
  'name?': name,
  'language?': type.enumerated(...languages),
  'theme?': theme.or('null'),
})

/**
 * Proof that the account's owner is at the keyboard: the password, or where there is none the
 * `confirmation` with which a provider's window (`/api/login_google?purpose=confirm`) comes back.
 */
const proof = { 'password?': 'string >= 1', 'confirmation?': '1 <= string <= 200' } as const

/** POST /api/user/sessions/{id}/end and /api/user/sessions/end_others */
export const endSessionInput = /* @__PURE__ */ type(proof)

/**
 * POST /api/login_code: the challenge that POST /api/login gave under `details`, and a code of the
 * authenticator app or a recovery code.
 */
export const loginCodeInput = /* @__PURE__ */ type({
  challenge: '1 <= string <= 100',
  code: type('string.trim').to('6 <= string <= 20'),
})

/** POST /api/login_token: what a provider's window came back with at /auth/callback. */
export const loginTokenInput = /* @__PURE__ */ type({ token: '1 <= string <= 100' })

/** POST /api/user/second_factor/link, and what admins do to accounts of others */
export const proofInput = /* @__PURE__ */ type(proof)

/** POST /api/user/second_factor/open and POST /api/keep_factors */
export const linkInput = /* @__PURE__ */ type({ token: '1 <= string <= 100' })

/** POST /api/user/totp/confirm */
export const totpCodeInput = /* @__PURE__ */ type({ code: type('string.trim').to('6 <= string <= 10') })

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
export const factorInput = /* @__PURE__ */ type(factor)

/**
 * POST /api/user/totp, /totp/off, /recovery_codes, /passkeys/options and /passkeys/{id}/remove. The
 * factor is needed to take one away, and to add one where the session has not shown one yet.
 */
export const factorProofInput = /* @__PURE__ */ type({ ...proof, ...factor })

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

/** POST /api/login_passkey */
export const loginPasskeyInput = /* @__PURE__ */ type({ remember: 'boolean = false', response: assertion })

/**
 * POST /api/user/password; an account without a password sets its first one with a `confirmation`.
 */
export const passwordInput = /* @__PURE__ */ type({
  'currentPassword?': 'string >= 1',
  'confirmation?': '1 <= string <= 200',
  password: newPassword,
})

/**
 * POST /api/user/email; the address changes when the link that is mailed to the new one is opened.
 */
export const emailChangeInput = /* @__PURE__ */ type({ email, ...proof, ...factor })

/** POST /api/user/delete */
export const deleteInput = /* @__PURE__ */ type(proof)

/**
 * POST /api/user/consents; `version` is that of the text that was shown, GET /api/user/consents
 * says which one is asked for.
 */
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
   * `confirm` proves who is there for POST /api/user/delete, /email or /password: it ends at
   * /auth/callback?confirmation=… instead of ?token=…, which POST /api/login_token turns into a
   * session within a minute, once.
   */
  'purpose?': "'login' | 'confirm'",
  /**
   * Made up by the page that opens the window, and brought back to it: what comes with another
   * mark, or with none, that page never asked for. So nobody can send a person to /auth/callback
   * with a token of their own.
   */
  'mark?': /^[\w-]{16,64}$/,
})
