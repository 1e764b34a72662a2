import { index, pgEnum, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { reportCategories, reportStatuses } from '../rules.ts'

export const reportCategoryType = pgEnum('report_category', reportCategories)
export const reportStatusType = pgEnum('report_status', reportStatuses)

/** One row for all reports of a result; a new report after `kept` makes it wait again. */
export const reportedResults = pgTable(
  'reported_results',
  {
    generationId: uuid()
      .primaryKey()
      .references(() => generations.id, { onDelete: 'cascade' }),
    /** Owner of the result. */
    userId: uuid()
      .notNull()
      .references(() => users.id),
    status: reportStatusType().notNull().default('waiting'),
    /** The admin's reason. */
    answer: text(),
    /** Of the first report that waits, or waited. */
    createdAt: timestamptz().notNull(),
    decidedAt: timestamptz(),
    decidedBy: uuid(),
  },
  (table) => [index().on(table.userId), index().on(table.status, table.createdAt, table.generationId)],
)

export const contentReports = pgTable(
  'content_reports',
  {
    id: uuid().primaryKey(),
    generationId: uuid()
      .notNull()
      .references(() => reportedResults.generationId, { onDelete: 'cascade' }),
    /** Null for a guest, or after the reporter's account was deleted. */
    reporterId: uuid().references(() => users.id, { onDelete: 'set null' }),
    position: smallint().notNull(),
    category: reportCategoryType().notNull(),
    note: text().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.generationId, table.id), index().on(table.reporterId), index().on(table.createdAt)],
)
