import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgEnum, pgTable, real, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'
import { moment } from '#server/db/columns.ts'
import { uploadStatuses } from '../rules.ts'

export const uploadStatusType = pgEnum('upload_status', uploadStatuses)

/** A file in the folder of its upload. */
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
    /** Length of the file: as announced, then of what is kept of it. */
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Bytes that survive a power cut. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    /** The files that hold them, one after the other. */
    parts: jsonb().$type<UploadPart[]>().notNull().default([]),
    contentType: text(),
    width: integer(),
    height: integer(),
    seconds: real(),
    /** Of the file as it was received. */
    sha256: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    /** Time at which the first generation took the upload. */
    usedAt: moment(),
  },
  (table) => [index().on(table.userId, table.expiresAt), index().on(table.expiresAt)],
)

/**
 * Every file in the store, from before it is there until it is gone. A key that ends with a slash
 * stands for all files below it.
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
