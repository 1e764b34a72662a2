import { integer, pgEnum, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'

export const mailTemplate = pgEnum('mail_template', [
  'verify_email',
  'address_in_use',
  'reset_password',
  'password_changed',
])

/**
 * Mails that are owed: written in the transaction that made them necessary, removed once handed over. A row names the person, not the address,
 * and no link: links are made when the mail is sent, so that no usable token is ever at rest.
 */
export const mailOutbox = pgTable('mail_outbox', {
  id: uuid().primaryKey(),
  template: mailTemplate().notNull(),
  userId: uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  attempts: integer().notNull().default(0),
  createdAt: timestamp({ withTimezone: true }).notNull(),
})
