import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgEnum, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'
import { moment } from '#server/db/columns.ts'
import { uploadStatuses } from '../rules.ts'

export const uploadStatusType = pgEnum('upload_status', uploadStatuses)

/** A received part in the folder of its upload. */
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
    /** Length of the file: as announced, and once checked of the kept file. */
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Received bytes that survive a power cut. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** Files that hold the received bytes, in order. */
    parts: jsonb().$type<UploadPart[]>().notNull().default([]),
    contentType: text(),
    width: integer(),
    height: integer(),
    seconds: real(),
    /** SHA-256 of the received file. */
    sha256: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    /** Time at which the first generation took the upload. */
    usedAt: moment(),
  },
  (table) => [index().on(table.userId, table.expiresAt), index().on(table.expiresAt)],
)

/**
 * Every file in the store, from before it is stored until it is deleted. A key that ends with a
 * slash stands for all files below it.
 */
export const storedFiles = pgTable(
  'stored_files',
  {
    storageKey: text().primaryKey(),
    /** User whose storage the file counts against, while a row of a feature keeps it. */
    userId: uuid().references(() => users.id),
    bytes: bigint({ mode: 'number' }).notNull(),
    createdAt: moment().notNull(),
    /** Time of deletion; null while the file is kept. */
    deleteAt: moment(),
  },
  (table) => [
    index().on(table.userId),
    index('files_to_delete').on(table.deleteAt).where(sql`${table.deleteAt} is not null`),
  ],
)

export type Upload = typeof uploads.$inferSelect
