import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from '../db/columns.ts'

export const rateLimits = pgTable('rate_limits', {
  /** Such as `login:ip:127.0.0.1`; addresses and e-mails only as keyed hashes. */
  key: text().primaryKey(),
  hits: integer().notNull(),
  resetsAt: timestamptz().notNull(),
})
