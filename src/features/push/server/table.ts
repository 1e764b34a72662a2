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
    /** Whoever knows it can send there, so it is never logged. */
    endpoint: text().notNull().unique(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.userId)],
)

/** What people do not want to be told. */
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
    /** What it is about, e.g. an order's id; null where that is the person alone. */
    subjectId: uuid(),
    createdAt: moment().notNull(),
    /** Counted before each attempt, so that a message that ends the process is given up too. */
    attempts: smallint().notNull().default(0),
    /** The sweeper takes a message up again from then on. */
    nextAttemptAt: moment().notNull().defaultNow(),
  },
  (table) => [index().on(table.nextAttemptAt), index().on(table.subscriptionId)],
)
