import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import type { RefusalKind } from '#shared/moderation.ts'

/** Content that a safety rule refused, each content of an account once; kept for a month. */
export const contentRefusals = pgTable(
  'content_refusals',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Keyed hash, so that the table reveals neither pictures nor words. */
    contentHash: text().notNull(),
    kind: text().$type<RefusalKind>().notNull(),
    tool: text().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.contentHash] }),
    index().on(table.createdAt),
    index('refusals_of_user').on(table.userId, table.createdAt),
  ],
)

/** A limited account keeps its results and credits, but starts nothing new and shares nothing. */
export const accountLimits = pgTable(
  'account_limits',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Ends by itself. */
    until: timestamptz().notNull(),
    /** For the user; null after repeated refusals. */
    reason: text(),
    createdAt: timestamptz().notNull(),
    /** Null: the server itself. */
    createdBy: uuid(),
    /** Staff ended it early. */
    endedAt: timestamptz(),
  },
  (table) => [
    index().on(table.userId),
    index('running_account_limits').on(table.until).where(sql`${table.endedAt} is null`),
  ],
)
