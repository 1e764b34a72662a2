import { languages } from '#contract/language.ts'
import { roles } from '#contract/roles.ts'
import { type } from '#contract/schema.ts'

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

/**
 * `{access_token}`: what every way of signing in, and every change that ends other sessions,
 * responds with.
 */
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

/**
 * PATCH /api/user/me; the token carries name and role, so there is a new one for the same session.
 */
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
  /** When it goes unless it is used before, as somebody who reset the password asked for. */
  removalDueAt: 'string | null',
})
export type PasskeyView = typeof passkeySchema.infer

/** GET /api/user/second_factor */
export const secondFactorSchema = /* @__PURE__ */ type({
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
export type SecondFactorView = typeof secondFactorSchema.infer

/** POST /api/user/totp: for the authenticator app; `uri` is what its QR code says. */
export const totpSchema = /* @__PURE__ */ type({ secret: 'string', uri: 'string' })
export type TotpView = typeof totpSchema.infer

/** Shown once. */
export const recoveryCodesSchema = /* @__PURE__ */ type({ recoveryCodes: 'string[]' })

/**
 * POST /api/user/totp/confirm: the second factor is on, and the session goes on under a new token.
 */
export const totpConfirmedSchema = /* @__PURE__ */ recoveryCodesSchema.and(tokenSchema)
export type TotpConfirmed = typeof totpConfirmedSchema.infer

/** GET /api/reset_password/{token}: the second factors that a reset can have removed. */
export const resetFactorsSchema = /* @__PURE__ */ type({
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
export type ResetFactors = typeof resetFactorsSchema.infer

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
