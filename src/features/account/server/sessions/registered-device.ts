import { createHmac } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { Config } from '#server/config.ts'

// The link of a verification mail signs in where the account was registered, and nowhere else:
// whoever registers somebody else's address never has the link, and whoever only has the link never
// has the cookie.

type Secret = Pick<Config, 'jwtSecret' | 'publicUrl'>

const cookies = {
  /** The address that was registered here, until its mail is too old. */
  registered: { name: 'registered', path: '/api/verify_email', seconds: 24 * 3600 },
  /** A sign-in that a link has just earned, until the page it opened asks for it. */
  verified: { name: 'verified', path: '/api/login_verified', seconds: 60 },
} as const
type Kind = keyof typeof cookies

/** Lets the browser keep a sealed value, out of scripts' reach. */
export async function keepSealed(c: Context, config: Secret, kind: Kind, value: string, now: Date): Promise<void> {
  const { name, seconds } = cookies[kind]
  const sealed = await new EncryptJWT({ value, kind })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(new Date(now.getTime() + seconds * 1000))
    .encrypt(key(config))
  // Lax: the link is opened from a mail program.
  setCookie(c, name, sealed, { ...attributes(config, kind), maxAge: seconds })
}

/** What the browser kept, once; undefined when there is nothing, or it is too old or not ours. */
export async function takeSealed(c: Context, config: Secret, kind: Kind, now: Date): Promise<string | undefined> {
  const sealed = getCookie(c, cookies[kind].name, attributes(config, kind).prefix)
  if (sealed === undefined) return undefined
  deleteCookie(c, cookies[kind].name, attributes(config, kind))
  try {
    const { payload } = await jwtDecrypt<{ value: string; kind: Kind }>(sealed, key(config), { currentDate: now })
    return payload.kind === kind ? payload.value : undefined
  } catch {
    return undefined
  }
}

function attributes({ publicUrl }: Secret, kind: Kind) {
  const secure = publicUrl.protocol === 'https:'
  return {
    path: cookies[kind].path,
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    prefix: secure ? 'secure' : undefined,
  } as const
}

/** Not the key of access tokens: one must never pass for the other. */
function key({ jwtSecret }: Secret): Uint8Array {
  return createHmac('sha256', jwtSecret).update('registered device').digest()
}
