import type { Duty, Role } from './roles.ts'

/** From the access token's `sub`. */
export interface AuthUser {
  id: string
  name: string
  email: string
  role: Role
  duty?: Duty | null
}

/**
 * `password`: a generated password must be changed; `second_factor`: the admin area requires one.
 */
export type RequiredAction = 'password' | 'second_factor'

/**
 * `code`: authenticator app or recovery code. A sign-in that needs a factor is refused with
 * `second_factor.required`; its details are the `challenge` and the account's `factors`, separated
 * by spaces.
 */
export const factors = ['code', 'passkey'] as const
export type Factor = (typeof factors)[number]

/** JWT, HS256. */
export interface TokenClaims {
  sub: AuthUser
  /** Id of the session. */
  sid: string
  /** Required before anything else, shown by the app. */
  due?: RequiredAction
  /** Seconds since 1970. */
  iat: number
  exp: number
}

/** localStorage key of the raw access token, mirrored to IndexedDB for the service worker. */
export const tokenKey = 'authToken'

export interface AccessToken {
  raw: string
  user: AuthUser
  /** Id of the session; empty when the token names none. */
  session: string
  due?: RequiredAction
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** Does not check the signature; null unless the JSON Web Token (RFC 7519) has our claims. */
export function readToken(raw: string | null | undefined): AccessToken | null {
  try {
    const payload = raw?.split('.')[1]
    if (!raw || !payload) return null
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const { sub, sid, exp, due } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<TokenClaims>
    if (typeof sub?.id !== 'string' || typeof exp !== 'number') return null
    return { raw, user: sub, session: typeof sid === 'string' ? sid : '', ...(due && { due }), expiresAt: exp * 1000 }
  } catch {
    return null
  }
}

/**
 * `Server-Timing` value; only the navigation request has Sec-Fetch-Site, so the page cannot ask
 * later.
 */
export const ownNavigation = 'own-navigation'
