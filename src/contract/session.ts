import type { Duty, Role } from './roles.ts'

/** The user as the access token's `sub` has it. */
export interface AuthUser {
  id: string
  name: string
  email: string
  role: Role
  /** What an admin is kept to. */
  duty?: Duty | null
}

/**
 * `password`: a made-up password has to be changed first; `second_factor`: the admin area wants one
 * set up.
 */
export type RequiredAction = 'password' | 'second_factor'

/** Claims of the access token (JWT, HS256). */
export interface TokenClaims {
  sub: AuthUser
  /** The session it belongs to. */
  sid: string
  /** What has to be done before anything else, for the app to show. */
  due?: RequiredAction
  /** Seconds since 1970. */
  iat: number
  exp: number
}

/**
 * Where a browser keeps the raw access token: in localStorage for the page, mirrored to IndexedDB
 * for the service worker.
 */
export const tokenKey = 'authToken'

/** An access token with what the app reads in it. */
export interface AccessToken {
  raw: string
  user: AuthUser
  /** The session it belongs to; empty when it names none. */
  session: string
  /** What has to be done before anything else. */
  due?: RequiredAction
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Reads a JSON Web Token (RFC 7519) without checking its signature, for the server alone judges
 * whether it is genuine; null when it has not the shape of ours.
 */
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
