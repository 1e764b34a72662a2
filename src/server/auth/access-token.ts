import { errors, jwtVerify, SignJWT } from 'jose'
import { validate as isUuid } from 'uuid'
import type { Config } from '#server/config.ts'
import { appError } from '#server/http/app-error.ts'
import type { AuthUser, RequiredAction, TokenClaims } from '#shared/session.ts'

type Secret = Pick<Config, 'jwtSecret' | 'previousJwtSecret'>

/** JWT, HS256. Its `sub` is an object with the user and their role. */
export async function issueAccessToken(
  { jwtSecret }: Secret,
  session: { id: string; user: AuthUser; due: RequiredAction | undefined; createdAt: Date; expiresAt: Date },
): Promise<string> {
  // The JWT library's types require a string for `sub`.
  const { due } = session
  const claims = { sub: session.user, sid: session.id, ...(due && { due }) } as unknown as Record<string, never>
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(session.createdAt)
    .setExpirationTime(session.expiresAt)
    .sign(jwtSecret)
}

/** Throws `auth.expired`, or `auth.required` for tokens that this server did not issue. */
export async function readAccessToken(
  { jwtSecret, previousJwtSecret }: Secret,
  token: string,
  now: Date,
): Promise<TokenClaims['sid']> {
  const verify = (key: Uint8Array) => jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now })
  try {
    const { payload } = await verify(jwtSecret).catch((error: unknown) => {
      if (previousJwtSecret && error instanceof errors.JWSSignatureVerificationFailed) return verify(previousJwtSecret)
      throw error
    })
    const { sid } = payload
    if (typeof sid === 'string' && isUuid(sid)) return sid
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw appError('auth.expired')
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw appError('auth.required')
}
