import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { workOutbox } from '#server/outbox.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { resealSecret } from '#server/sealed-secret.ts'
import { sweepDeliveries } from './deliveries.ts'
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
