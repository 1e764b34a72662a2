import { index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { sessions, users } from '#features/account/server/table.ts'
import { moment } from '#server/db/columns.ts'
import type { PushKind, PushTopic } from '../rules.ts'

/** The devices that messages go to: one a session, which ends with it. */
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
    /** Anyone with this address can send messages there, so it is never logged. */
    endpoint: text().notNull().unique(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.userId)],
)

/** Push messages that a user has turned off. */
export const pushSettings = pgTable('push_settings', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  muted: text().array().$type<PushTopic[]>().notNull(),
})

/**
 * Messages that are owed to a device: written in the transaction that made them necessary, removed
 * once the push service has them. What they say is read when they are sent.
 */
export const pushOutbox = pgTable(
  'push_outbox',
  {
    id: uuid().primaryKey(),
    subscriptionId: uuid()
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    kind: text().$type<PushKind>().notNull(),
    /** Id of the subject, e.g. an order's; null if the message concerns the user alone. */
    subjectId: uuid(),
    createdAt: moment().notNull(),
    /** Counted before each attempt, so that a message that ends the process is given up too. */
    attempts: smallint().notNull().default(0),
    /** The sweeper takes a message up again from then on. */
    nextAttemptAt: moment().notNull().defaultNow(),
  },
  (table) => [index().on(table.nextAttemptAt), index().on(table.subscriptionId)],
)
