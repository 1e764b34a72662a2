import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'
import type { Language } from '#shared/language.ts'

/** The author is in the audit log. */
export const announcements = pgTable(
  'announcements',
  {
    id: uuid().primaryKey(),
    text: jsonb().$type<Record<Language, string>>().notNull(),
    path: text(),
    startsAt: timestamptz().notNull(),
    /** Null: open end. */
    endsAt: timestamptz(),
    version: integer().notNull().default(1),
  },
  (table) => [index().on(table.endsAt)],
)
