import { boolean, index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'

/** Tokens are computed from the id and stored nowhere. */
export const sharedResults = pgTable(
  'shared_results',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    generationId: uuid()
      .notNull()
      .references(() => generations.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    withOriginal: boolean().notNull(),
    passwordHash: text(),
    openings: integer().notNull().default(0),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.generationId), index().on(table.expiresAt)],
)

/** Results that an admin took out of public view: no link opens them. */
export const withdrawnResults = pgTable('withdrawn_results', {
  generationId: uuid()
    .primaryKey()
    .references(() => generations.id, { onDelete: 'cascade' }),
  withdrawnAt: timestamptz().notNull(),
})
