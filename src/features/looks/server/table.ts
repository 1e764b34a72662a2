import { jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'

/** Sent with generations like any picture; stored for later use. */
export const logos = pgTable('logos', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A data URL. */
  picture: text().notNull(),
  changedAt: timestamptz().notNull(),
})

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
    changedAt: timestamptz().notNull(),
  },
  (table) => [unique('one_look_per_name').on(table.userId, table.tool, table.name)],
)
