import { and, asc, count, eq, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { factorReauthenticationInput } from '#features/account/schemas.ts'
import { account, type FactorOwner } from '#features/account/server/account.ts'
import { securityLog } from '#server/audit/audit.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { checkPublicUrl, isOpenedHost, type PublicFetchDeps, PublicFetchError } from '#server/http/public-fetch.ts'
import { sealSecret } from '#server/sealed-secret.ts'
import { addTime } from '#shared/time.ts'
import { maxWebhooks, rotationHours } from '../rules.ts'
import type { WebhookChange, WebhookCreated, WebhookInput, WebhookView } from '../schemas.ts'
import { newWebhookSecret } from './send-webhook.ts'
import { webhookEndpoints } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>
/** `address` is of the client, for the security log. */
type Owner = FactorOwner & { address: string }
type Given = typeof factorReauthenticationInput.infer
type Endpoint = typeof webhookEndpoints.$inferSelect

export async function listWebhooks({ db, clock }: Pick<Deps, 'db' | 'clock'>, userId: string): Promise<WebhookView[]> {
  const found = await db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.userId, userId))
    .orderBy(asc(webhookEndpoints.id))
  return found.map((row) => viewOf(row, clock()))
}

/** Returns the secret this once. */
export async function createWebhook(
  deps: Tools,
  owner: Owner,
  { url, description, events, ...given }: WebhookInput,
): Promise<WebhookCreated> {
  const { userId } = owner
  const address = checkedUrl(deps, url)
  const secret = newWebhookSecret()
  const sealed = await sealSecret(deps.config, 'webhook', secret)
  const { result } = await account.changeFactors(deps, owner, given, account.showFactorIfDue, async (tx) => {
    const [held] = await tx.select({ count: count() }).from(webhookEndpoints).where(eq(webhookEndpoints.userId, userId))
    if ((held?.count ?? 0) >= maxWebhooks) throw appError('webhook.too_many')
    const now = deps.clock()
    const [row] = await tx
      .insert(webhookEndpoints)
      .values({
        id: uuid(),
        userId,
        url: address,
        description,
        events: [...new Set(events)],
        secret: sealed,
        createdAt: now,
      })
      .returning()
    await note(tx, deps, owner, 'webhook_added')
    return { ...viewOf(row as Endpoint, now), secret }
  })
  return result
}

/** The old secret signs too for a day; a second rotation within it ends that of the first. */
export async function rotateSecret(deps: Tools, owner: Owner, id: string, given: Given): Promise<{ secret: string }> {
  const secret = newWebhookSecret()
  const sealed = await sealSecret(deps.config, 'webhook', secret)
  await account.changeFactors(deps, owner, given, account.showFactorIfDue, async (tx) => {
    const endpoint = await findWebhook(tx, owner.userId, id)
    await tx
      .update(webhookEndpoints)
      .set({
        secret: sealed,
        previousSecret: endpoint.secret,
        previousSecretUntil: addTime(deps.clock(), { hours: rotationHours }),
      })
      .where(eq(webhookEndpoints.id, id))
    await note(tx, deps, owner, 'webhook_secret_rotated')
  })
  return { secret }
}

/** The address is fixed, since it decides who receives the messages. */
export async function changeWebhook(
  { db, clock }: Tools,
  userId: string,
  id: string,
  { description, events, enabled }: WebhookChange,
): Promise<WebhookView> {
  const { disabled } = webhookEndpoints
  const [row] = await db
    .update(webhookEndpoints)
    .set({
      description,
      events: events && [...new Set(events)],
      disabled: enabled === undefined ? undefined : enabled ? null : sql`coalesce(${disabled}, 'user')`,
      // An update needs at least one column.
      userId,
    })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.userId, userId)))
    .returning()
  if (!row) throw appError('webhook.not_found')
  return viewOf(row, clock())
}

/** With its log; pending messages are not delivered any more. */
export async function deleteWebhook(deps: Tools, owner: Owner, id: string): Promise<void> {
  await transact(deps.db, async (tx) => {
    await findWebhook(tx, owner.userId, id)
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id))
    await note(tx, deps, owner, 'webhook_removed')
  })
}

/** Endpoints of other users are not found. */
export async function findWebhook(
  executor: Executor,
  userId: string,
  id: string,
  lock?: 'key share',
): Promise<Endpoint> {
  const own = executor
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.userId, userId)))
  const [endpoint] = await (lock ? own.for(lock) : own)
  if (!endpoint) throw appError('webhook.not_found')
  return endpoint
}

/** Each attempt checks the resolved addresses; this refuses what can never work. */
function checkedUrl(deps: PublicFetchDeps, text: string): string {
  try {
    const url = checkPublicUrl(deps, text)
    if (url.protocol === 'https:' || isOpenedHost(deps.config, url)) return url.href
  } catch (error) {
    if (!(error instanceof PublicFetchError)) throw error
  }
  throw appError('webhook.address_forbidden')
}

const note = (
  tx: Transaction,
  { clock }: Tools,
  { userId, sessionId, address }: Owner,
  kind: 'webhook_added' | 'webhook_secret_rotated' | 'webhook_removed',
) => securityLog.note({ db: tx, clock }, { kind, userId, sessionId, address })

function viewOf(row: Endpoint, now: Date): WebhookView {
  const { id, url, description, events, disabled, previousSecretUntil, createdAt } = row
  return {
    id,
    url,
    description,
    events,
    disabled,
    previousSecretUntil: previousSecretUntil && previousSecretUntil > now ? previousSecretUntil.toISOString() : null,
    createdAt: createdAt.toISOString(),
  }
}
