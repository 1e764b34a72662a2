import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import type { AssignableWork } from '../rules.ts'

export const assignments = pgTable(
  'assignments',
  {
    kind: text().$type<AssignableWork>().notNull(),
    subjectId: uuid().notNull(),
    assigneeId: uuid()
      .notNull()
      .references(() => users.id),
    assignedBy: uuid().notNull(),
    assignedAt: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.subjectId] }), index().on(table.assigneeId, table.kind)],
)
