import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '#contract/language.ts'
import { moment } from '#server/db/columns.ts'

/** What everybody is told for a while; who wrote it stands in the audit log. */
export const announcements = pgTable(
  'announcements',
  {
    id: uuid().primaryKey(),
    text: jsonb().$type<Record<Language, string>>().notNull(),
    /** The page that it leads to. */
    path: text(),
    startsAt: moment().notNull(),
    /** Null: until somebody ends it. */
    endsAt: moment(),
    version: integer().notNull().default(1),
  },
  (table) => [index().on(table.endsAt)],
)
