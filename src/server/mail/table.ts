import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '#shared/language.ts'
import { timestamptz } from '../db/columns.ts'
import { outboxColumns } from '../outbox.ts'

/** Each is defined by a feature (mail-definition.ts). */
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
  'api_key_added',
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
  'work_assigned',
  'custom_edit_done',
  'custom_edit_message',
  'custom_edit_answer',
  'custom_edit_declined',
  'custom_edit_new',
  'custom_edit_overdue',
  'report_kept',
  'report_acted',
  'share_withdrawn',
  'account_limited',
  'account_limited_refusals',
  'guardian_asked',
  'guardian_reminder',
  'guardian_waiting',
  'guardian_consented',
  'guardian_allowed',
  'guardian_closed',
  'account_closed',
] as const
export type MailTemplate = (typeof mailTemplates)[number]

/**
 * Inserted in the transaction that causes the mail, deleted once sent. Links are made at sending,
 * so that no usable token is ever stored.
 */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    ...outboxColumns,
    template: text().$type<MailTemplate>().notNull(),
    /** A mail to a deleted user is dropped. */
    userId: uuid().notNull(),
    subjectId: uuid(),
    /** Differs from the account's address: the new or the previous address. */
    recipient: text(),
    /** Reason of the last failed attempt, without addresses. */
    failure: text(),
  },
  (table) => [index().on(table.userId), index().on(table.nextAttemptAt)],
)

/** Kept for half a year, without text. */
export const sentMails = pgTable(
  'sent_mails',
  {
    id: uuid().primaryKey(),
    userId: uuid().notNull(),
    template: text().$type<MailTemplate>().notNull(),
    sentAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.userId, table.sentAt), index().on(table.sentAt)],
)

/** Staff's texts; null: the program's own. */
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
