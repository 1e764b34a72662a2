import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Database, Transaction } from '#server/db/database.ts'
import { beginOfDay } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { limitRate, type RateLeft } from '#server/http/rate-limit.ts'
import { type Guard, guardOf } from '#server/http/route.ts'
import { type ApiKeyMode, type ApiKeyScope, apiKeyModes, apiKeyPrefix, apiKeyRate } from '#shared/api-key.ts'
import { addTime, wibDay } from '#shared/time.ts'
import { recordUse } from './record-use.ts'
import { apiKeys, users } from './table.ts'

const secretBytes = 32
const hintLength = 4
const recordedMinutes = 1

const pattern = new RegExp(`^rupa_(?:${apiKeyModes.join('|')})_[0-9a-f]{${2 * secretBytes}}$`)

/** The key is shown once; only the hash is stored. */
export function newApiKey(mode: ApiKeyMode): { key: string; hash: string; hint: string } {
  const key = apiKeyPrefix(mode) + randomBytes(secretBytes).toString('hex')
  return { key, hash: hashOf(key), hint: key.slice(0, apiKeyPrefix(mode).length + hintLength) }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

type Tools = Pick<Deps, 'config' | 'db' | 'clock' | 'log'>

/**
 * Admits programs with a key in `Authorization: Bearer` or `X-Api-Key`. The database decides on
 * each call, so that a revoked key fails in every process at once. Sets the RateLimit headers (IETF
 * draft-ietf-httpapi-ratelimit-headers), and the older X-RateLimit ones that many clients read.
 */
export function requireApiKey(deps: Tools, scope: ApiKeyScope): Guard {
  const { db, clock } = deps
  const find = findApiKey(db)
  return guardOf({ permission: undefined, actionFirst: false, scope }, async (c, next) => {
    const bearer = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const given = bearer ?? c.req.header('x-api-key')?.trim()
    if (!given) throw appError('auth.required')
    const now = clock()
    const [key] = pattern.test(given) ? await find.execute({ hash: hashOf(given) }) : []
    if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) throw appError('api_key.invalid')
    if (key.disabledAt) throw appError('auth.disabled')
    if (!key.scopes.includes(scope)) throw appError('api_key.scope_missing', { details: { scope } })
    const { limit, seconds } = apiKeyRate
    const [left] = await limitRate(deps, [{ rule: 'api-key', subject: key.keyId, limit, seconds }]).catch(
      (error: unknown) => {
        const wait = error instanceof AppError ? error.retryAfter : undefined
        if (wait !== undefined) setRateHeaders(c, { remaining: 0, seconds: wait }, now)
        throw error
      },
    )
    const { id, name, email, role, duty, keyId, mode } = key
    c.set('user', { id, name, email, role, duty })
    c.set('sessionId', keyId)
    c.set('apiKey', { id: keyId, test: mode === 'test' })
    await recordUse(deps, { last: key.lastUsedAt, now, minutes: recordedMinutes }, (isDue) =>
      db
        .update(apiKeys)
        .set({ lastUsedAt: now })
        .where(and(eq(apiKeys.id, keyId), isDue(apiKeys.lastUsedAt))),
    )
    await next()
    if (left) setRateHeaders(c, left, now)
  })
}

function setRateHeaders(c: Context, left: RateLeft, now: Date): void {
  const { limit, seconds } = apiKeyRate
  const reset = Math.ceil(left.seconds)
  c.header('ratelimit-policy', `"key";q=${limit};w=${seconds}`)
  c.header('ratelimit', `"key";r=${left.remaining};t=${reset}`)
  c.header('x-ratelimit-limit', String(limit))
  c.header('x-ratelimit-remaining', String(left.remaining))
  c.header('x-ratelimit-reset', String(Math.ceil(now.getTime() / 1000) + reset))
}

/** Prepared, since it runs on every call. */
function findApiKey(db: Database) {
  return db
    .select({
      keyId: apiKeys.id,
      mode: apiKeys.mode,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
      id: users.id,
      name: users.name,
      email: users.email,
      role: users.role,
      duty: users.duty,
      disabledAt: users.disabledAt,
    })
    .from(apiKeys)
    .innerJoin(users, and(eq(users.id, apiKeys.userId), isNull(users.deletedAt)))
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare('find_api_key')
}

const isUsable = (id: string, now: Date) =>
  and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)))

/** For signed file addresses, which outlive a request. */
export async function isApiKeyAlive({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string): Promise<boolean> {
  const found = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .innerJoin(users, and(eq(users.id, apiKeys.userId), isNull(users.disabledAt), isNull(users.deletedAt)))
    .where(isUsable(id, clock()))
  return found.length > 0
}

/**
 * Decides again in the transaction of a charge, which holds the account: a key revoked meanwhile
 * pays nothing, and concurrent calls never spend more than the key's daily limit. `spent` returns
 * the credits that the key has spent since the given moment. Throws `api_key.invalid` and
 * `api_key.daily_limit`.
 */
export async function requireApiKeyAllowance(
  tx: Transaction,
  charge: { apiKeyId: string; credits: number; now: Date },
  spent: (since: Date) => Promise<number>,
): Promise<void> {
  const { apiKeyId, credits, now } = charge
  const [key] = await tx
    .select({ dailyCredits: apiKeys.dailyCredits })
    .from(apiKeys)
    .where(isUsable(apiKeyId, now))
    .for('share')
  if (!key) throw appError('api_key.invalid')
  if (key.dailyCredits === null || credits === 0) return
  const day = beginOfDay(wibDay(now))
  if ((await spent(day)) + credits <= key.dailyCredits) return
  const tomorrow = addTime(day, { days: 1 })
  throw appError('api_key.daily_limit', { retryAfter: (tomorrow.getTime() - now.getTime()) / 1000 })
}
