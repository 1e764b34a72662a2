import { jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'
import { moment } from '#server/db/columns.ts'

/** A user's logo, which is sent with generations like any picture; stored here for later use. */
export const logos = pgTable('logos', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** A data URL. */
  picture: text().notNull(),
  changedAt: moment().notNull(),
})

/** A user's saved options of a tool. */
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
