import { bigint, index, integer, pgEnum, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'
import { moment } from '#server/db/columns.ts'
import { uploadStatuses } from '../rules.ts'

export const uploadStatusType = pgEnum('upload_status', uploadStatuses)

export const uploads = pgTable(
  'uploads',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    status: uploadStatusType().notNull().default('receiving'),
    name: text().notNull(),
    /** Length of the file: as announced, then of what is kept of it. */
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Bytes that survive a power cut. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    contentType: text(),
    width: integer(),
    height: integer(),
    seconds: real(),
    /** Of the file as it was received. */
    sha256: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    /** When the first generation took it. */
    usedAt: moment(),
  },
  (table) => [index().on(table.userId, table.expiresAt), index().on(table.expiresAt)],
)

/** Files that features keep in the store: whose they are, and the space they take. */
export const fileReferences = pgTable(
  'file_references',
  {
    storageKey: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    bytes: bigint({ mode: 'number' }).notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.userId)],
)

export type Upload = typeof uploads.$inferSelect
