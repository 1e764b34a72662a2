import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Context } from 'hono'
import { factorReauthenticationInput } from '#features/account/schemas.ts'
import { account } from '#features/account/server/account.ts'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { workOutbox } from '#server/outbox.ts'
import { resealSecret } from '#server/sealed-secret.ts'
import { type } from '#shared/schema.ts'
import {
  deliveryView,
  listDeliveriesInput,
  webhookChange,
  webhookCreated,
  webhookInput,
  webhookSecret,
  webhookView,
} from '../schemas.ts'
import { listDeliveries, pingWebhook, redeliver, sendRules, sweepDeliveries } from './deliveries.ts'
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks, rotateSecret } from './manage-webhooks.ts'
import { sendWebhook } from './send-webhook.ts'
import { webhookDeliveries, webhookEndpoints, webhookQueue } from './table.ts'
import type { WebhookDefinitions } from './webhooks.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const endpoints = await db
      .select()
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.userId, userId))
      .orderBy(asc(webhookEndpoints.id))
    if (endpoints.length === 0) return
    const sent = await db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.userId, userId))
      .orderBy(asc(webhookDeliveries.id))
    yield jsonFile('webhooks.json', {
      endpoints: endpoints.map(({ userId: _, secret: _secret, previousSecret: _previous, ...endpoint }) => endpoint),
      deliveries: sent.map(({ userId: _, ...delivery }) => delivery),
    })
  },
  async erase(tx, { userId }) {
    await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.userId, userId))
    return []
  },
}

/** At the same time in each process, and of one user in all processes. */
const concurrency = { concurrency: 10, perOwner: 3 }

async function work(deps: Deps, definitions: WebhookDefinitions): Promise<void> {
  await workOutbox(deps, webhookQueue, concurrency, (id) => sendWebhook(deps, definitions, id))
  await deps.jobs.every('sweep-webhook-deliveries', 24 * 3600, () => sweepDeliveries(deps))
  await deps.jobs.every('reseal-webhook-secrets', 3600, () => resealWebhookSecrets(deps))
}

/** Forgets secrets that sign no more; after a key rotation, seals the others with the new key. */
export async function resealWebhookSecrets({
  db,
  clock,
  config,
}: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ previousSecret: null, previousSecretUntil: null })
    .where(lte(webhookEndpoints.previousSecretUntil, clock()))
  if (!config.previousJwtSecret) return
  for (const column of ['secret', 'previousSecret'] as const) {
    for (const { id, sealed } of await db
      .select({ id: webhookEndpoints.id, sealed: webhookEndpoints[column] })
      .from(webhookEndpoints)
      .where(isNotNull(webhookEndpoints[column]))) {
      const anew = sealed && (await resealSecret(config, 'webhook', sealed))
      if (!sealed || !anew) continue
      // A rotation meanwhile wins.
      const unchanged = and(eq(webhookEndpoints.id, id), eq(webhookEndpoints[column], sealed))
      await db
        .update(webhookEndpoints)
        .set({ [column]: anew })
        .where(unchanged)
    }
  }
}

export const webhookContributions = { personalData, work }

const endpointOf = (c: Context) => pathId(c, 'webhook.not_found')

export function webhookRoutes(deps: Deps) {
  const signedIn = requireUser(deps)
  const ownerOf = (c: Context<UserEnv>) => {
    const { user, sessionId, address } = c.var
    return { userId: user.id, sessionId, address }
  }
  return [
    route('listWebhooks', 'GET /user/webhooks', signedIn, {
      summary: 'List your webhook endpoints, without their secrets',
      output: { 200: ['The endpoints', type({ items: webhookView.array() })] },
      handler: async (c) => ({ items: await listWebhooks(deps, c.var.user.id) }),
    }),
    route('createWebhook', 'POST /user/webhooks', signedIn, {
      summary: 'Add a webhook endpoint; its secret is returned this once',
      description: 'Messages follow the Standard Webhooks specification.',
      input: { json: webhookInput },
      output: { 201: ['The endpoint', webhookCreated] },
      errors: [...account.reauthenticationErrors, 'webhook.address_forbidden', 'webhook.too_many'],
      handler: async (c) => {
        const input = c.req.valid('json')
        return await account.withReauthentication(deps, account.callerOf(c, deps), input, () =>
          createWebhook(deps, ownerOf(c), input),
        )
      },
    }),
    route('changeWebhook', 'PATCH /user/webhooks/:id', signedIn, {
      summary: 'Change the description or the events of an endpoint, or disable and enable it',
      input: { json: webhookChange },
      output: { 200: ['The endpoint', webhookView] },
      errors: ['webhook.not_found'],
      handler: (c) => changeWebhook(deps, c.var.user.id, endpointOf(c), c.req.valid('json')),
    }),
    route('deleteWebhook', 'DELETE /user/webhooks/:id', signedIn, {
      summary: 'Remove an endpoint with its log; nothing more is delivered to it',
      output: { 204: 'Removed' },
      errors: ['webhook.not_found'],
      handler: (c) => deleteWebhook(deps, ownerOf(c), endpointOf(c)),
    }),
    route('rotateWebhookSecret', 'POST /user/webhooks/:id/rotate', signedIn, {
      summary: 'Make a new secret; the old one signs too for 24 hours',
      input: { json: factorReauthenticationInput },
      output: { 200: ['The secret', webhookSecret] },
      errors: [...account.reauthenticationErrors, 'webhook.not_found'],
      handler: async (c) => {
        const input = c.req.valid('json')
        return await account.withReauthentication(deps, account.callerOf(c, deps), input, () =>
          rotateSecret(deps, ownerOf(c), endpointOf(c), input),
        )
      },
    }),
    route('pingWebhook', 'POST /user/webhooks/:id/ping', signedIn, {
      summary: 'Send a test message of the type `webhook.ping`',
      output: { 202: ['The message', deliveryView] },
      errors: ['webhook.not_found', 'webhook.disabled'],
      limits: (c) => sendRules(c.var.user.id),
      handler: (c) => pingWebhook(deps, c.var.user.id, endpointOf(c)),
    }),
    route('listDeliveries', 'GET /user/webhooks/:id/deliveries', signedIn, {
      summary: 'List the messages of an endpoint with their attempts, newest first',
      description: 'They are kept for 30 days.',
      input: { query: listDeliveriesInput },
      output: { 200: ['One page of messages', type({ items: deliveryView.array(), nextCursor: 'string | null' })] },
      errors: ['webhook.not_found'],
      handler: (c) => listDeliveries(deps, c.var.user.id, endpointOf(c), c.req.valid('query')),
    }),
    route('redeliver', 'POST /user/webhooks/:id/deliveries/:delivery/redeliver', signedIn, {
      summary: 'Deliver a message again, with the same `webhook-id`',
      output: { 204: 'The message is being delivered' },
      errors: ['webhook.not_found', 'webhook.disabled'],
      limits: (c) => sendRules(c.var.user.id),
      handler: (c) => redeliver(deps, c.var.user.id, endpointOf(c), pathId(c, 'webhook.not_found', 'delivery')),
    }),
  ]
}
