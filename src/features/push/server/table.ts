import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { sessions, users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { type Outbox, outboxColumns } from '#server/outbox.ts'
import type { PushKind, PushTopic } from '../rules.ts'

/** A device for each session, deleted with it. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid()
      .notNull()
      .unique()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** The address suffices to send messages there, so it is never logged. */
    endpoint: text().notNull().unique(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.userId)],
)

export const pushSettings = pgTable('push_settings', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  muted: text().array().$type<PushTopic[]>().notNull(),
})

/** Deleted once the push service has accepted it. The content is read when it is sent. */
export const pushOutbox = pgTable(
  'push_outbox',
  {
    ...outboxColumns,
    subscriptionId: uuid()
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    kind: text().$type<PushKind>().notNull(),
    /** Such as an order's id; null if the message concerns the user alone. */
    subjectId: uuid(),
  },
  (table) => [index().on(table.nextAttemptAt), index().on(table.subscriptionId)],
)

/** A message is worth sending for a day; the pauses add up to half of it. */
export const pushQueue = {
  queue: 'send-push',
  table: pushOutbox,
  maxAttempts: 12,
  pauseSeconds: { first: 30, max: 7200 },
  maxAgeSeconds: 86_400,
} as const satisfies Outbox
