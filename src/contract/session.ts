import type { Role } from './roles.ts'

/** The user as the access token's `sub` has it. */
export interface AuthUser {
  id: string
  name: string
  email: string
  role: Role
}

/**
 * `password`: a made-up password has to be changed first; `second_factor`: the admin area wants one
 * set up.
 */
export type SessionDuty = 'password' | 'second_factor'

/** Claims of the access token (JWT, HS256). */
export interface TokenClaims {
  sub: AuthUser
  /** The session it belongs to. */
  sid: string
  /** What has to be done before anything else, for the app to show. */
  due?: SessionDuty
  /** Seconds since 1970. */
  iat: number
  exp: number
}
