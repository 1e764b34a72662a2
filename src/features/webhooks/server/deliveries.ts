import { and, eq, getTableColumns, lt } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '#server/db/database.ts'
import { keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { RateRule } from '#server/http/rate-limit.ts'
import { outboxTimes, wakesSender } from '#server/outbox.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import { addTime } from '#shared/time.ts'
import { deliveryDays, pingEvent } from '../rules.ts'
import type { DeliveryView } from '../schemas.ts'
import { findWebhook } from './manage-webhooks.ts'
import { webhookDeliveries, webhookQueue } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock'>
type Delivery = typeof webhookDeliveries.$inferSelect

const newestFirst = keyset<Delivery>('webhook_deliveries', 'descending', [
  { column: webhookDeliveries.id, type: 'uuid', of: ({ id }) => id },
])

/** For messages sent by hand. */
export function sendRules(userId: string): RateRule[] {
  return [{ rule: 'webhook-send:account', subject: userId, limit: 60, seconds: 3600 }]
}

export async function listDeliveries(
  { db }: Tools,
  userId: string,
  endpointId: string,
  page: PageRequest,
): Promise<Page<DeliveryView>> {
  await findWebhook(db, userId, endpointId)
  const { rows, nextCursor } = await newestFirst.read(
    db.select().from(webhookDeliveries),
    eq(webhookDeliveries.endpointId, endpointId),
    page,
  )
  return { items: rows.map(viewOf), nextCursor }
}

export async function pingWebhook({ db, clock }: Tools, userId: string, endpointId: string): Promise<DeliveryView> {
  return await transact(db, async (tx) => {
    await requireEnabled(tx, userId, endpointId)
    const ping = { id: uuid(), endpointId, userId, event: pingEvent, ...outboxTimes(clock()) } as const
    const [row] = await tx
      .insert(webhookDeliveries)
      .values(ping)
      .returning({ ...getTableColumns(webhookDeliveries), ...wakesSender(webhookQueue) })
    return viewOf(row as Delivery)
  })
}

async function requireEnabled(tx: Transaction, userId: string, endpointId: string): Promise<void> {
  const { disabled } = await findWebhook(tx, userId, endpointId, 'key share')
  if (disabled) throw appError('webhook.disabled')
}

/** Starts all attempts again, with the same `webhook-id`. */
export async function redeliver(
  { db, clock }: Tools,
  userId: string,
  endpointId: string,
  deliveryId: string,
): Promise<void> {
  await transact(db, async (tx) => {
    await requireEnabled(tx, userId, endpointId)
    const { nextAttemptAt } = outboxTimes(clock())
    const again = await tx
      .update(webhookDeliveries)
      .set({ state: 'pending', attempts: 0, nextAttemptAt })
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, endpointId)))
      .returning(wakesSender(webhookQueue))
    if (again.length === 0) throw appError('webhook.not_found')
  })
}

export async function sweepDeliveries({ db, clock }: Tools): Promise<void> {
  const before = addTime(clock(), { days: -deliveryDays })
  await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, before))
}

function viewOf(row: Delivery): DeliveryView {
  const { id, event, subjectId, state, attempts, status, error, lastAttemptAt, nextAttemptAt, createdAt } = row
  return {
    id,
    event,
    subjectId,
    state,
    attempts,
    status,
    error,
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: state === 'pending' ? nextAttemptAt.toISOString() : null,
    createdAt: createdAt.toISOString(),
  }
}
