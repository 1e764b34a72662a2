import { and, count, desc, eq, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { securityLog } from '#server/audit/audit.ts'
import { newApiKey } from '#server/auth/require-api-key.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { apiKeys } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { maxApiKeys } from '#shared/api-key.ts'
import { type } from '#shared/schema.ts'
import { addTime } from '#shared/time.ts'
import { type ApiKeyCreated, type ApiKeyView, apiKeyCreated, apiKeyInput, apiKeyView } from '../api-key-schemas.ts'
import { callerOf, reauthenticationErrors, withReauthentication } from './reauthentication.ts'
import { changeFactors, type FactorOwner, showFactorIfDue } from './second-factor/show-factor.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/** Newest first, without revoked keys. */
export async function listApiKeys(executor: Executor, userId: string): Promise<ApiKeyView[]> {
  const found = await executor.select().from(apiKeys).where(ownKeys(userId)).orderBy(desc(apiKeys.createdAt))
  return found.map(viewOf)
}

/** Returns the key this once, and queues a notice. */
async function createApiKey(
  deps: Tools,
  owner: FactorOwner,
  { name, mode, scopes, dailyCredits, days, ...given }: typeof apiKeyInput.infer,
): Promise<ApiKeyCreated> {
  const { userId } = owner
  const { result } = await changeFactors(deps, owner, given, showFactorIfDue, async (tx) => {
    const [held] = await tx.select({ count: count() }).from(apiKeys).where(ownKeys(userId))
    if ((held?.count ?? 0) >= maxApiKeys) throw appError('api_key.too_many')
    const now = deps.clock()
    const { key, hash, hint } = newApiKey(mode)
    const expiresAt = days === null ? null : addTime(now, { days })
    const values = { id: uuid(), userId, name, mode, scopes, dailyCredits, hash, hint, expiresAt, createdAt: now }
    const [row] = await tx.insert(apiKeys).values(values).returning()
    await enqueueMail(tx, { template: 'api_key_added', userId, now })
    return { ...viewOf(row as typeof apiKeys.$inferSelect), key }
  })
  return result
}

/** From now on every process refuses it. Needs no re-authentication: it only takes rights away. */
async function revokeApiKey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const own = and(eq(apiKeys.id, id), ownKeys(userId))
  const revoked = await db.update(apiKeys).set({ revokedAt: clock() }).where(own).returning({ id: apiKeys.id })
  if (revoked.length === 0) throw appError('api_key.not_found')
}

const ownKeys = (userId: string) => and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt))

function viewOf(row: typeof apiKeys.$inferSelect): ApiKeyView {
  const { id, name, mode, scopes, hint, dailyCredits, createdAt, expiresAt, lastUsedAt } = row
  return {
    id,
    name,
    mode,
    scopes,
    hint,
    dailyCredits,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}

export function apiKeyRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  return [
    route('listApiKeys', 'GET /user/api_keys', signedIn, {
      summary: 'List your API keys, without the keys themselves',
      output: { 200: ['The keys', type({ items: apiKeyView.array() })] },
      handler: async (c) => ({ items: await listApiKeys(deps.db, c.var.user.id) }),
    }),
    route('createApiKey', 'POST /user/api_keys', signedIn, {
      summary: 'Create an API key; it is returned this once',
      input: { json: apiKeyInput },
      output: { 201: ['The key', apiKeyCreated] },
      errors: [...reauthenticationErrors, 'api_key.too_many'],
      handler: async (c) => {
        const { user, sessionId, address } = c.var
        const input = c.req.valid('json')
        const owner = { userId: user.id, sessionId }
        const created = await withReauthentication(deps, callerOf(c, deps), input, () =>
          createApiKey(deps, owner, input),
        )
        await securityLog.note(deps, { ...owner, kind: 'api_key_added', address, detail: created.mode })
        return created
      },
    }),
    route('revokeApiKey', 'DELETE /user/api_keys/:id', signedIn, {
      summary: 'Revoke an API key, at once',
      output: { 204: 'Revoked' },
      errors: ['api_key.not_found'],
      handler: async (c) => {
        const { user, sessionId, address } = c.var
        await revokeApiKey(deps, { userId: user.id, id: pathId(c, 'api_key.not_found') })
        await securityLog.note(deps, { kind: 'api_key_revoked', userId: user.id, sessionId, address })
      },
    }),
  ]
}
