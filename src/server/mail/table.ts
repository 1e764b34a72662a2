import { index, pgEnum, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from '#features/account/server/table.ts'

export const mailTemplates = [
  'verify_email',
  'address_in_use',
  'reset_password',
  'password_changed',
  'receipt',
  'credits_expiring',
] as const
export type MailTemplate = (typeof mailTemplates)[number]
export const mailTemplateType = pgEnum('mail_template', mailTemplates)

/**
 * Mails that are owed: written in the transaction that made them necessary, removed once handed over. A row names the person, not the address,
 * and no link: links are made when the mail is sent, so that no usable token is ever at rest.
 */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: uuid().primaryKey(),
    template: mailTemplateType().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What it is about where that is not the person alone, e.g. an order's id. */
    subjectId: uuid(),
    createdAt: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [index().on(table.userId)],
)
