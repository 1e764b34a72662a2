import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '#server/db/columns.ts'

/** Errors that people's devices have reported: one row for all that are the same. */
export const errorReports = pgTable(
  'error_reports',
  {
    /** SHA-256 of part, version, message and place. */
    fingerprint: text().primaryKey(),
    part: text().$type<'page' | 'worker'>().notNull(),
    /** Of the program, as /api/version says it. */
    version: text().notNull(),
    message: text().notNull(),
    /** The topmost frames of the stack: files of the build, with line and column. */
    place: text().notNull(),
    count: integer().notNull(),
    firstAt: moment().notNull(),
    lastAt: moment().notNull(),
  },
  (table) => [index().on(table.lastAt)],
)
