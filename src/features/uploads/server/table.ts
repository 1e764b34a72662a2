import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgEnum, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { uploadStatuses } from '../rules.ts'

export const uploadStatusType = pgEnum('upload_status', uploadStatuses)

/** The part is in the folder of its upload. */
export interface UploadPart {
  name: string
  bytes: number
}

export const uploads = pgTable(
  'uploads',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    status: uploadStatusType().notNull().default('receiving'),
    name: text().notNull(),
    /** Length as announced; once checked, of the kept file. */
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Bytes that survive a power cut. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** In the order of their bytes. */
    parts: jsonb().$type<UploadPart[]>().notNull().default([]),
    contentType: text(),
    width: integer(),
    height: integer(),
    seconds: real(),
    /** SHA-256 of the received file. */
    sha256: text(),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
    usedAt: timestamptz(),
    /** The generation or custom edit that used it first, and with which it is deleted. */
    usedBy: uuid(),
  },
  (table) => [index().on(table.userId, table.expiresAt), index().on(table.expiresAt)],
)

/**
 * Every file, from before it is stored until it is deleted. A key with a final slash stands for all
 * files below it.
 */
export const storedFiles = pgTable(
  'stored_files',
  {
    storageKey: text().primaryKey(),
    /** The file counts against this user's storage, while a row of a feature keeps it. */
    userId: uuid().references(() => users.id),
    bytes: bigint({ mode: 'number' }).notNull(),
    createdAt: timestamptz().notNull(),
    /** Null while the file is kept. */
    deleteAt: timestamptz(),
  },
  (table) => [
    index().on(table.userId),
    index('files_to_delete').on(table.deleteAt).where(sql`${table.deleteAt} is not null`),
  ],
)

export type Upload = typeof uploads.$inferSelect
