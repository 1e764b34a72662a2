import { index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { sessions, users } from '#features/account/server/table.ts'
import { timestamptz } from '#server/db/columns.ts'
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
    id: uuid().primaryKey(),
    subscriptionId: uuid()
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    kind: text().$type<PushKind>().notNull(),
    /** Such as an order's id; null if the message concerns the user alone. */
    subjectId: uuid(),
    createdAt: timestamptz().notNull(),
    /** Counted before each attempt, so that a message that crashes the process is given up too. */
    attempts: smallint().notNull().default(0),
    /** Time from which on the sweeper sends the message again. */
    nextAttemptAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [index().on(table.nextAttemptAt), index().on(table.subscriptionId)],
)
