import { and, arrayContains, eq, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { outboxTimes, wakesSender } from '#server/outbox.ts'
import type { Language } from '#shared/language.ts'
import type { WebhookEvent } from '../rules.ts'
import { webhookDeliveries, webhookEndpoints, webhookQueue } from './table.ts'

export interface WebhookDefinition {
  /** `data` of the message, without signed addresses; null if nothing is left to report. */
  content(
    deps: Pick<Deps, 'db'>,
    pending: { userId: string; subjectId: string; language: Language },
  ): Promise<Record<string, unknown> | null>
}

export type WebhookDefinitions = Record<WebhookEvent, WebhookDefinition>

/** Call it in the transaction of the event. */
async function enqueue(
  tx: Transaction,
  { kind, userId, subjectId, now }: { kind: WebhookEvent; userId: string; subjectId: string; now: Date },
): Promise<void> {
  const { disabled, events } = webhookEndpoints
  const endpoints = await tx
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.userId, userId), isNull(disabled), arrayContains(events, [kind])))
    // An endpoint that is deleted meanwhile must not fail the transaction of the event.
    .for('key share')
  if (endpoints.length === 0) return
  const pending = endpoints.map(({ id }) => ({
    id: uuid(),
    endpointId: id,
    userId,
    event: kind,
    subjectId,
    ...outboxTimes(now),
  }))
  await tx.insert(webhookDeliveries).values(pending).returning(wakesSender(webhookQueue))
}

export const webhooks = { enqueue }
