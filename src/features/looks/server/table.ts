import { jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'
import { moment } from '#server/db/columns.ts'

/** Options of a tool that somebody keeps under a name. */
export const looks = pgTable(
  'looks',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tool: text().notNull(),
    name: text().notNull(),
    params: jsonb().$type<Record<string, unknown>>().notNull(),
    changedAt: moment().notNull(),
  },
  (table) => [unique('one_look_per_name').on(table.userId, table.tool, table.name)],
)
