import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { Config } from '#server/config.ts'
import { derivedKey } from '#server/secrets.ts'

// Link and code of a verification mail sign in only on the device of the registration. An attacker
// who registers another user's address never has the mail; with only the mail they never have the
// cookie.

type Secret = Pick<Config, 'jwtSecret' | 'publicUrl'>

const cookies = {
  registered: { name: 'registered', path: '/api/verify_email', seconds: 24 * 3600 },
  /** From the opening of the link until its page requests the sign-in. */
  verified: { name: 'verified', path: '/api/login_verified', seconds: 60 },
} as const
type Kind = keyof typeof cookies

export async function storeSealed(c: Context, config: Secret, kind: Kind, value: string, now: Date): Promise<void> {
  const { name, seconds } = cookies[kind]
  const sealed = await new EncryptJWT({ value, kind })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(new Date(now.getTime() + seconds * 1000))
    .encrypt(key(config))
  // SameSite=Lax, since the link is opened from a mail program.
  setCookie(c, name, sealed, { ...attributes(config, kind), maxAge: seconds })
}

/** Deletes the cookie; undefined if it is absent, expired or not from this server. */
export async function takeSealed(c: Context, config: Secret, kind: Kind, now: Date): Promise<string | undefined> {
  const value = await readSealed(c, config, kind, now)
  forgetSealed(c, config, kind)
  return value
}

export function forgetSealed(c: Context, config: Secret, kind: Kind): void {
  const { name } = cookies[kind]
  const { prefix } = attributes(config, kind)
  if (getCookie(c, name, prefix) !== undefined) deleteCookie(c, name, attributes(config, kind))
}

export function storeRegistration(
  c: Context,
  config: Secret,
  { token, email, now }: { token: string; email: string; now: Date },
): Promise<void> {
  return storeSealed(c, config, 'registered', `${token} ${email}`, now)
}

export async function readRegistered(
  c: Context,
  config: Secret,
  now: Date,
): Promise<{ token: string; email: string } | undefined> {
  const [token, email] = (await readSealed(c, config, 'registered', now))?.split(' ') ?? []
  return token !== undefined && email !== undefined ? { token, email } : undefined
}

async function readSealed(c: Context, config: Secret, kind: Kind, now: Date): Promise<string | undefined> {
  const sealed = getCookie(c, cookies[kind].name, attributes(config, kind).prefix)
  if (sealed === undefined) return undefined
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

/** Differs from the key of access tokens: neither kind may pass for the other. */
function key({ jwtSecret }: Secret): Uint8Array {
  return derivedKey(jwtSecret, 'registered device')
}
