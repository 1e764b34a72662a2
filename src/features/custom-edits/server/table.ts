import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgEnum, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { storedFiles } from '#features/uploads/server/table.ts'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { trigramIndex } from '#server/db/trigram-search.ts'
import { customEditStatuses } from '../rules.ts'

export const customEditStatusType = pgEnum('custom_edit_status', customEditStatuses)
export const customEditFileRole = pgEnum('custom_edit_file_role', ['attachment', 'result'])

export const customEdits = pgTable(
  'custom_edits',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    status: customEditStatusType().notNull().default('new'),
    title: text().notNull(),
    /** With `+` and the country's code. */
    whatsapp: text().notNull(),
    /** May differ from the account's address, so nothing is mailed to it. */
    email: text().notNull(),
    description: text().notNull(),
    /** Not a foreign key, since results expire earlier. */
    generationId: uuid(),
    designerId: uuid(),
    reason: text(),
    idempotencyKey: text().notNull(),
    /** The same key with other content is refused. */
    contentHash: text().notNull(),
    createdAt: timestamptz().notNull(),
    dueAt: timestamptz().notNull(),
    takenAt: timestamptz(),
    finishedAt: timestamptz(),
    reopenedAt: timestamptz(),
    overdueNoticeAt: timestamptz(),
    /** 1 to 5, of the last delivery. */
    stars: smallint(),
    ratingComment: text(),
    /** Of the first rating; changes keep it. */
    ratedAt: timestamptz(),
  },
  (table) => [
    unique('one_custom_edit_per_key').on(table.userId, table.idempotencyKey),
    index().on(table.userId, table.id),
    index('open_custom_edits').on(table.dueAt, table.id).where(sql`${table.status} in ('new', 'in_progress')`),
    index().on(table.status, table.id),
    index().on(table.designerId, table.status, table.id),
    index('custom_edits_by_parts').using('gin', trigramIndex(table.title, table.email)),
  ],
)

export const customEditFiles = pgTable(
  'custom_edit_files',
  {
    id: uuid().primaryKey(),
    customEditId: uuid()
      .notNull()
      .references(() => customEdits.id, { onDelete: 'cascade' }),
    role: customEditFileRole().notNull(),
    /** 2 for results of the second version. */
    version: smallint().notNull().default(1),
    position: smallint().notNull(),
    storageKey: text()
      .notNull()
      .unique()
      .references(() => storedFiles.storageKey),
    /** Set once a list has shown it. */
    thumbnailKey: text()
      .unique()
      .references(() => storedFiles.storageKey),
    name: text().notNull(),
    contentType: text().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    bytes: integer().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.customEditId, table.role, table.position)],
)

export const customEditNotes = pgTable(
  'custom_edit_notes',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    customEditId: uuid()
      .notNull()
      .references(() => customEdits.id, { onDelete: 'cascade' }),
    authorId: uuid().notNull(),
    /** Visible to the owner, or written by the owner. */
    shared: boolean().notNull().default(false),
    text: text().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.customEditId, table.id)],
)
