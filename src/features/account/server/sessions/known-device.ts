import { randomBytes } from 'node:crypto'
import { and, eq, lt, ne } from 'drizzle-orm'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { users } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { derivedKey } from '#server/secrets.ts'
import { addTime } from '#shared/time.ts'
import { tokenHash } from '../account-token.ts'
import { knownDevices } from '../table.ts'

const cookieName = 'device'
const days = 365

/**
 * The cookie gives no access: guesses made elsewhere do not lock this device out, and its sign-ins
 * need no notice (OWASP, "Device cookies").
 */
export function readDevice(c: Context, config: Pick<Config, 'publicUrl'>): string | undefined {
  const value = getCookie(c, cookieName, prefixOf(config))
  return value && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : undefined
}

export function storeDeviceCookie(c: Context, config: Pick<Config, 'publicUrl'>, device: string): void {
  setCookie(c, cookieName, device, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: config.publicUrl.protocol === 'https:',
    maxAge: days * 86_400,
    prefix: prefixOf(config),
  })
}

/**
 * `__Host-` prevents other hosts and pages from setting it; over http browsers refuse the prefix.
 */
function prefixOf({ publicUrl }: Pick<Config, 'publicUrl'>): 'host' | undefined {
  return publicUrl.protocol === 'https:' ? 'host' : undefined
}

export function makeDevice(): string {
  return randomBytes(32).toString('base64url')
}

/** The query is the same for unknown addresses, so that timing does not reveal them. */
export async function isKnownDevice(executor: Executor, email: string, device: string | undefined): Promise<boolean> {
  const found = await executor
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(users.email, email), eq(knownDevices.hash, tokenHash(device ?? ''))))
  return found.length > 0
}

export async function knownDeviceOf(
  executor: Executor,
  userId: string,
  device: string | undefined,
): Promise<string | undefined> {
  if (device === undefined) return undefined
  const found = await executor
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .where(and(eq(knownDevices.userId, userId), eq(knownDevices.hash, tokenHash(device))))
  return found.length > 0 ? device : undefined
}

/** Queues a notice if the account has other devices and this one is new. */
export async function rememberDevice(
  tx: Transaction,
  { userId, sessionId, device, now }: { userId: string; sessionId: string; device: string; now: Date },
): Promise<void> {
  await tx
    .delete(knownDevices)
    .where(and(eq(knownDevices.userId, userId), lt(knownDevices.lastSeenAt, addTime(now, { days: -days }))))
  const others = await tx
    .select({ hash: knownDevices.hash })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
    .limit(200)
  await trustDevice(tx, { userId, device, now })
  if (others.length === 0 || others.some(({ hash }) => hash === tokenHash(device))) return
  await enqueueMail(tx, { template: 'new_device', userId, subjectId: sessionId, now })
}

/** Guesses made elsewhere no longer lock this device out. */
export async function trustDevice(
  tx: Transaction,
  { userId, device, now }: { userId: string; device: string; now: Date },
): Promise<void> {
  await tx
    .insert(knownDevices)
    .values({ userId, hash: tokenHash(device), lastSeenAt: now })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.hash], set: { lastSeenAt: now } })
}

/** After a new password only the device on which it was set stays known. */
export async function forgetDevices(
  tx: Transaction,
  { userId, except }: { userId: string; except?: string | undefined },
): Promise<void> {
  await tx
    .delete(knownDevices)
    .where(
      and(eq(knownDevices.userId, userId), except === undefined ? undefined : ne(knownDevices.hash, tokenHash(except))),
    )
}

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
    .setExpirationTime(addTime(now, { seconds }))
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
