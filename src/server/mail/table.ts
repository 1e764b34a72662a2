import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '#contract/language.ts'
import { moment } from '../db/columns.ts'

/** Names of all mails; a feature defines each (see mail-definition.ts). */
export const mailTemplates = [
  'verify_email',
  'address_in_use',
  'reset_password',
  'password_changed',
  'receipt',
  'credits_expiring',
  'new_device',
  'verify_new_email',
  'email_change_requested',
  'email_changed',
  'account_deleted',
  'order_refused',
  'order_refunded',
  'second_factor_on',
  'second_factor_off',
  'passkey_added',
  'passkey_removed',
  'provider_linked',
  'first_factor',
  'wrong_codes',
  'factor_removal_requested',
  'factor_removal_cancelled',
  'factors_removed',
  'factors_reset',
  'sessions_ended',
  'refund_accepted',
  'refund_declined',
  'staff_notice',
  'custom_edit_done',
  'custom_edit_message',
  'custom_edit_answer',
  'custom_edit_declined',
  'custom_edit_new',
  'custom_edit_overdue',
] as const
export type MailTemplate = (typeof mailTemplates)[number]

/**
 * Pending mails: inserted in the transaction that causes them, deleted once sent. A row refers to
 * the user, not to the address (unless the recipient differs from the account's address), and has
 * no link: links are made when the mail is sent, so that no usable token is ever stored.
 */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    id: uuid().primaryKey(),
    template: text().$type<MailTemplate>().notNull(),
    /** A mail is dropped if its user no longer exists when it is to be sent. */
    userId: uuid().notNull(),
    /** Id of the subject, e.g. an order's, if the mail does not concern the user alone. */
    subjectId: uuid(),
    /** Recipient other than the account's address: its new address, or its previous one. */
    recipient: text(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.userId)],
)

/** Sent mails: kind and time, without their text; kept for half a year. */
export const sentMails = pgTable(
  'sent_mails',
  {
    id: uuid().primaryKey(),
    userId: uuid().notNull(),
    template: text().$type<MailTemplate>().notNull(),
    sentAt: moment().notNull(),
  },
  (table) => [index().on(table.userId, table.sentAt), index().on(table.sentAt)],
)

/** Staff's texts of a mail in a language; null: the program's own. */
export const mailTexts = pgTable(
  'mail_texts',
  {
    template: text().$type<MailTemplate>().notNull(),
    language: text().$type<Language>().notNull(),
    version: integer().notNull(),
    texts: jsonb().$type<Record<'subject' | 'text' | 'action', string>>(),
  },
  (table) => [primaryKey({ columns: [table.template, table.language] })],
)
