import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { Config } from '#server/config.ts'
import { derivedKey } from '#server/secrets.ts'
import { addTime } from '#shared/time.ts'
import type { Provider } from '../../rules.ts'

/** Kept encrypted in the browser and compared on the return from the provider. */
interface Flow {
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  verifier: string
  /** True for a session of 30 days. */
  remember: boolean
  /** `confirm` only re-authenticates a signed-in user. */
  purpose: 'login' | 'confirm'
  openerState: string | undefined
}

export interface ProviderIdentity {
  provider: Provider
  /** The provider's permanent id of the user. */
  subject: string
  email: string | null
  /** True if the provider vouches that the address belongs to this user. */
  emailVerified: boolean
  name: string | null
}

/** Authorization code flow. */
export interface ProviderDriver {
  start(flow: Flow, redirectUri: URL): Promise<URL>
  /** Throws `auth.provider_denied` if the user refused, and other errors for invalid responses. */
  finish(flow: Flow, callback: URL): Promise<ProviderIdentity>
}

const minutes = 10

type Secret = Pick<Config, 'jwtSecret' | 'publicUrl'>

export function newFlow(asked: Pick<Flow, 'remember' | 'purpose' | 'openerState'>): Flow {
  const random = () => randomBytes(32).toString('base64url')
  return { ...asked, state: random(), nonce: random(), verifier: random() }
}

export async function storeFlow(c: Context, config: Secret, provider: Provider, flow: Flow, now: Date): Promise<void> {
  const sealed = await new EncryptJWT({ ...flow, provider })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(addTime(now, { minutes }))
    .encrypt(key(config))
  // SameSite=Lax, since the return is a navigation from the provider's site.
  setCookie(c, cookieName(provider), sealed, { ...attributes(config, provider), maxAge: minutes * 60 })
}

/** Deletes the cookie, so that it counts once. */
export async function takeFlow(c: Context, config: Secret, provider: Provider, now: Date): Promise<Flow | undefined> {
  const sealed = getCookie(c, cookieName(provider), attributes(config, provider).prefix)
  if (sealed === undefined) return undefined
  deleteCookie(c, cookieName(provider), attributes(config, provider))
  try {
    const { payload } = await jwtDecrypt<Flow & { provider: Provider }>(sealed, key(config), { currentDate: now })
    return payload.provider === provider ? payload : undefined
  } catch {
    return undefined
  }
}

/** Constant time, so that timing does not reveal a partial match. */
export function sameText(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)]
  return left.length === right.length && timingSafeEqual(left, right)
}

const cookieName = (provider: Provider) => `login_${provider}`

function attributes({ publicUrl }: Secret, provider: Provider) {
  return {
    path: `/api/login_${provider}`,
    httpOnly: true,
    sameSite: 'Lax',
    secure: publicUrl.protocol === 'https:',
    prefix: publicUrl.protocol === 'https:' ? 'secure' : undefined,
  } as const
}

/** Differs from the key of access tokens: neither kind may pass for the other. */
function key({ jwtSecret }: Secret): Uint8Array {
  return derivedKey(jwtSecret, 'provider sign-in')
}
