import { createHmac, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import type { Deps } from '#server/deps.ts'
import { fetchPublic, PublicFetchError } from '#server/http/public-fetch.ts'
import { beginAttempt } from '#server/outbox.ts'
import { unsealSecret } from '#server/sealed-secret.ts'
import type { Language } from '#shared/language.ts'
import { type DeliveryError, pingEvent } from '../rules.ts'
import { webhookDeliveries, webhookEndpoints, webhookQueue } from './table.ts'
import type { WebhookDefinitions } from './webhooks.ts'

type SendDeps = Pick<Deps, 'db' | 'clock' | 'config'>
type Delivery = typeof webhookDeliveries.$inferSelect
type Endpoint = typeof webhookEndpoints.$inferSelect

const timeoutSeconds = 15

/**
 * Makes one attempt and records it. Any answer but 2xx is a failure, also a redirect; 410 disables
 * the endpoint. A process that dies after the answer sends the message again.
 */
export async function sendWebhook(deps: SendDeps, definitions: WebhookDefinitions, deliveryId: string): Promise<void> {
  const { db } = deps
  if (!(await beginAttempt(deps, webhookQueue, deliveryId))) return
  const [found] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints, user: users })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(users, eq(users.id, webhookEndpoints.userId))
    .where(eq(webhookDeliveries.id, deliveryId))
  if (!found) return
  const { delivery, endpoint, user } = found
  if (endpoint.disabled || user.disabledAt) {
    await record(deps, delivery, { state: 'failed', error: 'endpoint_disabled' })
    return
  }
  const data = await dataOf(deps, definitions, delivery, user.language)
  if (!data) {
    await record(deps, delivery, { state: 'failed', error: 'subject_gone' })
    return
  }
  const payload = JSON.stringify({ type: delivery.event, timestamp: delivery.createdAt.toISOString(), data })
  const { status, error } = await post(deps, endpoint, delivery.id, payload)
  if (status !== null && status >= 200 && status < 300) {
    await record(deps, delivery, { state: 'delivered', status, error: null })
    return
  }
  if (status === 410)
    await db.update(webhookEndpoints).set({ disabled: 'gone' }).where(eq(webhookEndpoints.id, endpoint.id))
  const isLast = status === 410 || delivery.attempts >= webhookQueue.maxAttempts
  await record(deps, delivery, { state: isLast ? 'failed' : 'pending', status, error })
}

async function dataOf(
  { db }: SendDeps,
  definitions: WebhookDefinitions,
  { event, endpointId, userId, subjectId }: Delivery,
  language: Language,
): Promise<Record<string, unknown> | null> {
  if (event === pingEvent) return { endpointId }
  return subjectId === null ? null : await definitions[event].content({ db }, { userId, subjectId, language })
}

async function post(
  deps: SendDeps,
  endpoint: Endpoint,
  id: string,
  payload: string,
): Promise<{ status: number | null; error: DeliveryError | null }> {
  const now = deps.clock()
  const { secret, previousSecret, previousSecretUntil } = endpoint
  const previous = previousSecretUntil && previousSecretUntil > now ? previousSecret : null
  const sealed = previous === null ? [secret] : [secret, previous]
  const secrets = await Promise.all(sealed.map((one) => unsealSecret(deps.config, 'webhook', one)))
  try {
    const { status, body } = await fetchPublic(deps, endpoint.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...webhookHeaders(id, payload, secrets, now) },
      body: payload,
      // The answer's body is not read.
      maxBytes: Number.POSITIVE_INFINITY,
      seconds: timeoutSeconds,
      maxRedirects: 0,
    })
    body.destroy()
    return { status, error: null }
  } catch (error) {
    if (error instanceof PublicFetchError) return { status: null, error: error.reason }
    throw error
  }
}

/** An attempt that was overtaken changes nothing, unless it delivered. */
async function record(
  { db, clock }: SendDeps,
  { id, attempts }: Delivery,
  end: Pick<Delivery, 'state' | 'error'> & Partial<Pick<Delivery, 'status'>>,
): Promise<void> {
  const isCurrent = and(eq(webhookDeliveries.state, 'pending'), eq(webhookDeliveries.attempts, attempts))
  await db
    .update(webhookDeliveries)
    .set({ ...end, lastAttemptAt: clock() })
    .where(and(eq(webhookDeliveries.id, id), end.state === 'delivered' ? undefined : isCurrent))
}

const prefix = 'whsec_'

export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64')

/** Headers of the Standard Webhooks specification; one signature a secret, the newest first. */
export function webhookHeaders(
  id: string,
  payload: string,
  secrets: readonly string[],
  now: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
