import { eq, sql } from 'drizzle-orm'
import { index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { type Outbox, outboxColumns } from '#server/outbox.ts'
import type { DeliveredEvent, DeliveryError, DeliveryState, DisabledReason, WebhookEvent } from '../rules.ts'

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    description: text().notNull().default(''),
    events: text().array().$type<WebhookEvent[]>().notNull(),
    /** Sealed, with its prefix. */
    secret: text().notNull(),
    /** Signs too until its time, after a rotation. */
    previousSecret: text(),
    previousSecretUntil: timestamptz(),
    disabled: text().$type<DisabledReason>(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.userId)],
)

/** An outbox and its log. The content is read when it is sent. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    ...outboxColumns,
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    userId: uuid().notNull(),
    event: text().$type<DeliveredEvent>().notNull(),
    /** Such as a generation's id; null for a ping. */
    subjectId: uuid(),
    state: text().$type<DeliveryState>().notNull().default('pending'),
    /** HTTP status of the last attempt; null without an answer. */
    status: smallint(),
    error: text().$type<DeliveryError>(),
    lastAttemptAt: timestamptz(),
  },
  (table) => [
    index('pending_webhook_deliveries').on(table.nextAttemptAt).where(sql`${table.state} = 'pending'`),
    index().on(table.endpointId, table.id),
    index().on(table.createdAt),
  ],
)

/** The pauses add up to 23 hours. */
export const webhookQueue = {
  queue: 'send-webhook',
  table: webhookDeliveries,
  maxAttempts: 13,
  pauseSeconds: { first: 10, max: 14_400 },
  owner: webhookDeliveries.userId,
  log: {
    pending: eq(webhookDeliveries.state, 'pending'),
    givenUp: { state: 'failed', error: 'given_up' } satisfies Partial<typeof webhookDeliveries.$inferInsert>,
  },
} satisfies Outbox
